"""The same work as an application of each framework, in the way that its own documentation shows."""

from functools import partial
from io import BytesIO
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, BinaryIO

import httpx

from svckit.models.files import UploadRequest
from svckit.models.user import UserChange

from .straight import JSON, Response, Straight


def mock(straight: Straight) -> httpx.MockTransport:
    """Return a transport of httpx."""
    return httpx.MockTransport(partial(handle, straight))


def handle(straight: Straight, request: httpx.Request) -> httpx.Response:
    """Respond to a request of httpx."""
    body = BytesIO(request.read())
    status, content, headers = straight.handle(request.method, request.url.path, request.headers, body)
    return httpx.Response(status, headers=headers, content=content)


def keep(file: BinaryIO) -> BinaryIO:
    """Return a copy of a file that a framework closes; beyond a MiB it goes to the disk, as the fake's does."""
    kept = SpooledTemporaryFile(max_size=2**20)  # noqa: SIM115 - it is kept
    copyfileobj(file, kept)
    return kept


class Headers(dict[bytes, bytes]):
    """The headers of ASGI, whose names are in lower case; only what is asked for is decoded."""

    def __missing__(self, name: str) -> str:
        return self[name.lower().encode()].decode("latin-1")

    def get(self, name: str, default: Any = None) -> Any:
        """Return a header, or the default."""
        return self[name] if name.lower().encode() in self else default


def wsgi(straight: Straight) -> Any:
    """Return a bare WSGI application."""

    def app(environ: Any, start_response: Any) -> list[bytes]:
        headers = {"Content-Type": environ["CONTENT_TYPE"], "Content-Length": environ["CONTENT_LENGTH"]}
        headers["Authorization"] = environ.get("HTTP_AUTHORIZATION")
        path, body = environ["PATH_INFO"], environ["wsgi.input"]
        status, content, sent = straight.handle(environ["REQUEST_METHOD"], path, headers, body)
        start_response(f"{status} .", [*sent, ("Content-Length", str(len(content)))])
        return [content]

    return app


def asgi(straight: Straight) -> Any:
    """Return a bare ASGI application."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        body, more = BytesIO(), True
        while more:
            message = await receive()
            body.write(message["body"])
            more = message.get("more_body")
        body.seek(0)
        headers = Headers(scope["headers"])
        status, content, sent = straight.handle(scope["method"], scope["path"], headers, body)
        sent = [(name.lower().encode(), value.encode()) for name, value in sent]
        sent.append((b"content-length", str(len(content)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": sent})
        await send({"type": "http.response.body", "body": content})

    return app


def starlette(straight: Straight) -> Any:
    """Return an application of Starlette."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response as Sent
    from starlette.routing import Route

    def respond(response: Response) -> Sent:
        return Sent(response.content, response.status, media_type=JSON)

    async def update(request: Request) -> Sent:
        change = UserChange.model_validate_json(await request.body())
        bearer = request.headers.get("Authorization")
        return respond(straight.update(bearer, request.path_params["user_id"], change))

    async def announce(request: Request) -> Sent:
        announced = UploadRequest.model_validate_json(await request.body())
        bearer = request.headers.get("Authorization")
        return respond(straight.announce(bearer, request.path_params["user_id"], announced))

    async def receive(request: Request) -> Sent:
        async with request.form() as form:
            sent, bearer = form["Filedata"], request.headers.get("Authorization")
            address = request.path_params["address"]
            return respond(straight.receive(bearer, address, keep(sent.file), sent.content_type))

    return Starlette(
        routes=[
            Route("/users/{user_id}", update, methods=["PATCH"]),
            Route("/users/{user_id}/drive/files", announce, methods=["POST"]),
            Route("/uploads/{address}", receive, methods=["POST"]),
        ]
    )


def fastapi(straight: Straight) -> Any:
    """Return an application of FastAPI."""
    from fastapi import FastAPI, File, Header, UploadFile
    from fastapi import Response as Sent

    app = FastAPI()
    Bearer = Annotated[str | None, Header(alias="Authorization")]  # noqa: N806 - a type

    def respond(response: Response) -> Sent:
        return Sent(response.content, response.status, media_type=JSON)

    @app.patch("/users/{user_id}")
    async def update(user_id: str, change: UserChange, bearer: Bearer = None) -> Sent:
        return respond(straight.update(bearer, user_id, change))

    @app.post("/users/{user_id}/drive/files")
    async def announce(user_id: str, announced: UploadRequest, bearer: Bearer = None) -> Sent:
        return respond(straight.announce(bearer, user_id, announced))

    @app.post("/uploads/{address}")
    async def receive(
        address: str, file: Annotated[UploadFile, File(alias="Filedata")], bearer: Bearer = None
    ) -> Sent:
        return respond(straight.receive(bearer, address, keep(file.file), file.content_type))

    return app


def flask(straight: Straight) -> Any:
    """Return an application of Flask."""
    from flask import Flask, request
    from flask import Response as Sent

    app = Flask("peer")

    def respond(response: Response) -> Sent:
        return Sent(response.content, response.status, content_type=JSON)

    @app.patch("/users/<user_id>")
    def update(user_id: str) -> Sent:
        change = UserChange.model_validate_json(request.get_data())
        return respond(straight.update(request.headers.get("Authorization"), user_id, change))

    @app.post("/users/<user_id>/drive/files")
    def announce(user_id: str) -> Sent:
        announced = UploadRequest.model_validate_json(request.get_data())
        return respond(straight.announce(request.headers.get("Authorization"), user_id, announced))

    @app.post("/uploads/<address>")
    def receive(address: str) -> Sent:
        file, bearer = request.files["Filedata"], request.headers.get("Authorization")
        return respond(straight.receive(bearer, address, keep(file.stream), file.mimetype))

    return app
