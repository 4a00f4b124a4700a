// Use what openapi-generator makes for Java: it has one base path, so each area has a client. The content goes without
// it: the generated method sends the path of a file as JSON, and that for forms needs libraries that are not here.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.NotificationsApi;
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

        User changed = new UsersApi(at(base)).usersUpdate(user, new UserChange().nickName("Mina"));
        UserProfileStatus status = new UsersApi(at(base)).usersSetStatus(
            user, new StatusRegistration().profileStatusId(StatusRegistration.ProfileStatusIdEnum.BUSY));
        UploadTicket ticket = new UploadApi(at(base)).uploadDrive(
            user, new UploadRequest().fileName("all-bytes.bin").fileSize(content.length));
        HttpRequest request = HttpRequest.newBuilder(URI.create(ticket.getUploadUrl().toString()))
            .header("Authorization", "Bearer " + TOKEN).PUT(BodyPublishers.ofByteArray(content)).build();
        int stored = HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
        String[] address = hook.split("/message/");
        NotificationReply reply = new NotificationsApi(at(address[0])).notificationsPost(
            address[1], new Notification().body(new NotificationBody().text("Build is green")));
        System.out.printf("{\"nickName\": \"%s\", \"status\": \"%s\", \"stored\": %d, \"code\": %d}%n",
            changed.getNickName(), status.getProfileStatusId(), stored, reply.getCode());
    }
}
