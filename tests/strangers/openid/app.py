"""A web app that signs a user in with Authlib, which checks the id_token, and shows whom."""

import os

import httpx
from authlib.integrations.starlette_client import OAuth
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

oauth = OAuth()
oauth.register(
    "service",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{os.environ['ISSUER']}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid user"},
)


async def log_in(request):
    return await oauth.service.authorize_redirect(request, os.environ["REDIRECT_URI"])


async def return_from_login(request):
    token = await oauth.service.authorize_access_token(request)
    return PlainTextResponse(token["userinfo"]["sub"])


app = Starlette(
    routes=[Route("/login", log_in), Route("/callback", return_from_login)],
    middleware=[Middleware(SessionMiddleware, secret_key="a secret of this app")],
)
browser = TestClient(app, base_url="http://127.0.0.1:8731", follow_redirects=False)
url = browser.get("/login").headers["Location"]
print(browser.get(httpx.get(url).headers["Location"]).text)
