// A program that works through a day with Go's own client; the hosts of its service are literals.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
)

const (
	auth = "https://auth.example.com/oauth2/v2.0"
	api  = "https://www.example.com/v1.0"
)

var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func call(method, address, token, kind string, body io.Reader) (*http.Response, string) {
	request, err := http.NewRequest(method, address, body)
	check(err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	request.Header.Set("Content-Type", kind)
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode >= 400 {
		panic(string(content))
	}
	return response, string(content)
}

func field(name, text string) any {
	var values map[string]any
	check(json.Unmarshal([]byte(text), &values))
	return values[name]
}

func send(method, address, token, body string) string {
	_, text := call(method, address, token, "application/json", strings.NewReader(body))
	return text
}

func getToken(grant url.Values) string {
	grant.Set("client_id", os.Getenv("CLIENT_ID"))
	grant.Set("client_secret", os.Getenv("CLIENT_SECRET"))
	_, text := call("POST", auth+"/token", "", "application/x-www-form-urlencoded", strings.NewReader(grant.Encode()))
	return text
}

func main() {
	asked := url.Values{"client_id": {os.Getenv("CLIENT_ID")}, "redirect_uri": {os.Getenv("REDIRECT_URI")},
		"scope": {"user,file"}, "response_type": {"code"}, "state": {"s-1"}}
	redirected, _ := call("GET", auth+"/authorize?"+asked.Encode(), "", "", nil)
	location, err := redirected.Location()
	check(err)
	first := getToken(url.Values{"grant_type": {"authorization_code"}, "code": {location.Query().Get("code")}})
	refresh := field("refresh_token", first).(string)
	renewed := getToken(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
	token := field("access_token", renewed).(string)
	fmt.Println("signed in")

	user := api + "/users/" + os.Getenv("USER_ID")
	fmt.Println("nickname", field("nickName", send("PATCH", user, token, `{"nickName": "Mina"}`)))
	status := `{"profileStatusId": "BUSY", "statusMessage": "in a meeting"}`
	fmt.Println("status", field("profileStatusId", send("POST", user+"/user-profile-statuses", token, status)))

	upload := field("uploadUrl", send("POST", user+"/drive/files", token, `{"fileName": "diary.txt", "fileSize": 10}`))
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("Filedata", "diary.txt")
	check(err)
	part.Write([]byte("day by day"))
	writer.Close()
	_, stored := call("POST", upload.(string), token, writer.FormDataContentType(), &form)
	download, _ := call("GET", user+"/drive/files/"+field("fileId", stored).(string)+"/download", token, "", nil)
	_, content := call("GET", download.Header.Get("Location"), token, "", nil)
	fmt.Println("file", content)

	fmt.Println("notified", field("code", send("POST", os.Getenv("WEBHOOK_URL"), "", `{"body": {"text": "The day is over."}}`)))
}
