// Use what openapi-generator makes for Java: it has one base path, so each area has a client.

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.NotificationsApi;
import org.openapitools.client.api.StorageApi;
import org.openapitools.client.api.UploadApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.*;

public class Program {
    static final String TOKEN = System.getenv("TOKEN");

    static ApiClient at(String base) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(base);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + TOKEN));
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        String base = System.getenv("BASE_URL"), user = System.getenv("USER_ID"), hook = System.getenv("WEBHOOK");
        byte[] content = new byte[256 * 1024];
        for (int at = 0; at < content.length; at++) content[at] = (byte) at;
        Path file = Files.write(Files.createTempFile("all-bytes", ".bin"), content);

        User changed = new UsersApi(at(base)).usersUpdate(user, new UserChange().nickName("Mina"));
        UserProfileStatus status = new UsersApi(at(base)).usersSetStatus(
            user, new StatusRegistration().profileStatusId(StatusRegistration.ProfileStatusIdEnum.BUSY));
        UploadTicket ticket = new UploadApi(at(base)).uploadDrive(
            user, new UploadRequest().fileName("all-bytes.bin").fileSize(content.length));
        String[] parts = ticket.getUploadUrl().toString().split("/uploads/");
        int stored = new StorageApi(at(parts[0])).storageReceiveBytesWithHttpInfo(parts[1], file.toFile(), null)
            .getStatusCode();
        Files.delete(file);
        String[] address = hook.split("/message/");
        NotificationReply reply = new NotificationsApi(at(address[0])).notificationsPost(
            address[1], new Notification().body(new NotificationBody().text("Build is green")));
        System.out.printf("{\"nickName\": \"%s\", \"status\": \"%s\", \"stored\": %d, \"code\": %d}%n",
            changed.getNickName(), status.getProfileStatusId(), stored, reply.getCode());
    }
}
