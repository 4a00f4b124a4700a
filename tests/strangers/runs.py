"""How each client is configured with the facts of a fake, and run against it."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from ..fakes.keys import private_key, private_pem, public_pem
from .clients import basic_client, header_word, one_retry, put_upload, redirect_follower, service_account
from .clients.bot_attachment import Bot
from .clients.pkce_app import SignIn
from .clients.two_base_urls import Client

ACCOUNT = "reports.serviceaccount@example.com"
PER_MINUTE = 120
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(1000)
RESERIALIZING = Path(__file__).parent / "clients" / "reserializing.mjs"


def rename(running):
    """Let the client with two base URLs refresh its token and set a nickname; return the nickname."""
    facts, token = running.facts, running.get_tokens()["refresh_token"]
    credentials = facts["client_id"], facts["client_secret"]
    with Client(facts["base_url"], facts["auth_url"], *credentials, token) as client:
        client.refresh()
        return client.update_user(facts["user_id"], nickName="Mina")["nickName"]


def add_service_account(running):
    """Add the service account to the users, and register its key."""
    name = {"lastName": "Reports", "firstName": "Service account"}
    running.administer("PUT", "/users/reports", {"email": ACCOUNT, "userName": name})
    path = f"/applications/{running.facts['client_id']}/key"
    running.administer("PUT", path, {"publicKey": public_pem(private_key())})


def work_as_service_account(running):
    """Let the job get a token and set a task of a user; return the task."""
    facts = running.facts
    credentials = facts["client_id"], facts["client_secret"], ACCOUNT
    token = service_account.get_access_token(facts["auth_url"], *credentials, private_pem(private_key()))
    return service_account.set_task(facts["base_url"], token, facts["user_id"], "Reports")


def exchange(running):
    """Let the client with Basic credentials exchange a code; return the type of its token."""
    facts = running.facts
    credentials = facts["client_id"], facts["client_secret"]
    return basic_client.exchange(facts["auth_url"], *credentials, running.get_code())["token_type"]


def begin_sign_in(running):
    """Start the app with a code verifier."""
    facts = running.facts
    return SignIn(facts["auth_url"], facts["client_id"], facts["client_secret"], facts["redirect_uri"])


def finish_sign_in(running):
    """Let the app with a code verifier sign in; return the type of its token."""
    app = begin_sign_in(running)
    return app.finish(running.sign_in(app.get_url()))["token_type"]


def send_picture(running):
    """Let the bot send a picture; return the name under which it is stored."""
    facts, token = running.facts, running.get_tokens()["access_token"]
    with Bot(facts["base_url"], token, facts["bot_id"]) as bot:
        return bot.send_picture(facts["user_id"], "a.png", PICTURE)


def back_up(running):
    """Let the program upload with PUT; return the file's ID."""
    facts, token = running.facts, running.get_tokens()["access_token"]
    return put_upload.back_up(facts["base_url"], token, facts["user_id"], "backup.bin", b"content")


def download(running):
    """Let the client that follows redirects download what the program has uploaded; return the content."""
    facts, token = running.facts, running.get_tokens()["access_token"]
    return redirect_follower.download(facts["base_url"], token, facts["user_id"], back_up(running))


def post_too_many(running):
    """Let the program post one alert more than a minute allows; return the seconds that it waits."""
    webhook, waits = running.facts["webhooks"][0], []

    def wait(seconds):
        waits.append(seconds)
        running.administer("POST", "/clock", {"advance": seconds})

    for number in range(PER_MINUTE):
        assert running.http.post(webhook, json={"body": {"text": f"alert {number}"}}).status_code == 200
    one_retry.post_alert(webhook, "one too many", sleep=wait)
    return waits


@contextmanager
def listening(handler, **attributes):
    """Start the server of a bot that is written in Python; yield its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (handler,), attributes)) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/callback"
        server.shutdown()
        thread.join()


@contextmanager
def run_node(secret):
    """Start the server of a bot that is written in JavaScript; yield its URL."""
    command, environment = [shutil.which("node"), RESERIALIZING], os.environ | {"BOT_SECRET": secret}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/callback"
        finally:
            process.kill()


def say(running, url, content):
    """Let a user write to the bot, whose server is at a URL; return the status of its response."""
    facts = running.facts
    running.administer("PUT", f"/bots/{facts['bot_id']}/callback", {"url": url})
    message = {"botId": facts["bot_id"], "userId": facts["user_id"], "content": content}
    outcome = running.administer("POST", "/messages", message)
    assert outcome["delivered"] is (outcome["status"] == 200)
    return outcome["status"]


def hear(running):
    """Let the server that looks for its product's word hear from a user; return the texts that it takes."""
    texts = []
    with listening(header_word.Receiver, secret=running.facts["bot_secret"], texts=texts) as url:
        say(running, url, {"type": "text", "text": "hello"})
    return texts
