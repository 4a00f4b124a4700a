// A program that works through a day with Java's own client; the hosts of its service are literals.
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Diary {
    static final String AUTH = "https://auth.example.com/oauth2/v2.0";
    static final String API = "https://www.example.com/v1.0";
    static final HttpClient HTTP = HttpClient.newHttpClient();

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String field(String name, String text) {
        Matcher found = Pattern.compile("\"" + name + "\": *\"?([^\",}]*)").matcher(text);
        if (!found.find()) throw new IllegalStateException(text);
        return found.group(1);
    }

    static HttpResponse<String> call(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() >= 400) throw new IllegalStateException(response.body());
        return response;
    }

    static String getToken(String grant) throws Exception {
        String form = "client_id=" + encode(System.getenv("CLIENT_ID"))
            + "&client_secret=" + encode(System.getenv("CLIENT_SECRET")) + "&" + grant;
        return call(HttpRequest.newBuilder(URI.create(AUTH + "/token"))
            .header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form))).body();
    }

    static String send(String method, String url, String token, String type, String body) throws Exception {
        return call(HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + token)
            .header("Content-Type", type).method(method, BodyPublishers.ofString(body))).body();
    }

    public static void main(String[] arguments) throws Exception {
        String asked = "?response_type=code&state=s-1&scope=user,file&client_id=" + encode(System.getenv("CLIENT_ID"))
            + "&redirect_uri=" + encode(System.getenv("REDIRECT_URI"));
        String location = call(HttpRequest.newBuilder(URI.create(AUTH + "/authorize" + asked)))
            .headers().firstValue("Location").orElseThrow();
        Matcher code = Pattern.compile("[?&]code=([^&]*)").matcher(location);
        code.find();
        String first = getToken("grant_type=authorization_code&code=" + code.group(1));
        String token = field("access_token",
            getToken("grant_type=refresh_token&refresh_token=" + encode(field("refresh_token", first))));
        System.out.println("signed in");

        String user = API + "/users/" + System.getenv("USER_ID"), json = "application/json";
        System.out.println("nickname "
            + field("nickName", send("PATCH", user, token, json, "{\"nickName\": \"Mina\"}")));
        String status = "{\"profileStatusId\": \"BUSY\", \"statusMessage\": \"in a meeting\"}";
        System.out.println("status "
            + field("profileStatusId", send("POST", user + "/user-profile-statuses", token, json, status)));

        String announced = "{\"fileName\": \"diary.txt\", \"fileSize\": 10}";
        String upload = field("uploadUrl", send("POST", user + "/drive/files", token, json, announced));
        String form = "--b\r\nContent-Disposition: form-data; name=\"Filedata\"; filename=\"diary.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\nday by day\r\n--b--\r\n";
        String file = field("fileId", send("POST", upload, token, "multipart/form-data; boundary=b", form));
        String download = call(HttpRequest.newBuilder(URI.create(user + "/drive/files/" + file + "/download"))
            .header("Authorization", "Bearer " + token)).headers().firstValue("Location").orElseThrow();
        System.out.println("file " + call(HttpRequest.newBuilder(URI.create(download))
            .header("Authorization", "Bearer " + token)).body());

        System.out.println("notified " + field("code", call(HttpRequest.newBuilder(URI.create(System.getenv("WEBHOOK_URL")))
            .header("Content-Type", json)
            .POST(BodyPublishers.ofString("{\"body\": {\"text\": \"The day is over.\"}}"))).body()));
    }
}
