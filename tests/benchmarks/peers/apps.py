"""The same work as an application of each framework, in the way that its own documentation shows."""

from io import BytesIO
from typing import Annotated, Any

from svckit.models.user import UserChange

from .straight import JSON, Announcement, Straight


def wsgi(straight: Straight) -> Any:
    """Return a bare WSGI application."""

    def app(environ: Any, start_response: Any) -> list[bytes]:
        headers = {"Content-Type": environ["CONTENT_TYPE"], "Content-Length": environ["CONTENT_LENGTH"]}
        headers["Authorization"] = environ.get("HTTP_AUTHORIZATION")
        path, body = environ["PATH_INFO"], environ["wsgi.input"]
        status, content = straight.handle(environ["REQUEST_METHOD"], path, headers, body)
        start_response(f"{status} .", [("Content-Type", JSON), ("Content-Length", str(len(content)))])
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
        headers = {name.decode().title(): value.decode() for name, value in scope["headers"]}
        status, content = straight.handle(scope["method"], scope["path"], headers, body)
        sent = [(b"content-type", JSON.encode()), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": sent})
        await send({"type": "http.response.body", "body": content})

    return app


def starlette(straight: Straight) -> Any:
    """Return an application of Starlette."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    def respond(result: tuple[int, bytes]) -> Response:
        return Response(result[1], result[0], media_type=JSON)

    async def update(request: Request) -> Response:
        change = UserChange.model_validate_json(await request.body())
        bearer = request.headers.get("Authorization")
        return respond(straight.update(bearer, request.path_params["user_id"], change))

    async def announce(request: Request) -> Response:
        announced = Announcement.model_validate_json(await request.body())
        return respond(straight.announce(request.headers.get("Authorization"), announced))

    async def receive(request: Request) -> Response:
        async with request.form() as form:
            file, bearer = form["Filedata"].file, request.headers.get("Authorization")
            return respond(straight.receive(bearer, request.path_params["file_id"], file))

    return Starlette(
        routes=[
            Route("/users/{user_id}", update, methods=["PATCH"]),
            Route("/users/{user_id}/drive/files", announce, methods=["POST"]),
            Route("/uploads/{file_id}", receive, methods=["POST"]),
        ]
    )


def fastapi(straight: Straight) -> Any:
    """Return an application of FastAPI."""
    from fastapi import FastAPI, File, Header, Response, UploadFile

    app = FastAPI()
    Bearer = Annotated[str | None, Header(alias="Authorization")]  # noqa: N806 - a type

    def respond(result: tuple[int, bytes]) -> Response:
        return Response(result[1], result[0], media_type=JSON)

    @app.patch("/users/{user_id}")
    async def update(user_id: str, change: UserChange, bearer: Bearer = None) -> Response:
        return respond(straight.update(bearer, user_id, change))

    @app.post("/users/{user_id}/drive/files")
    async def announce(user_id: str, announced: Announcement, bearer: Bearer = None) -> Response:
        return respond(straight.announce(bearer, announced))

    @app.post("/uploads/{file_id}")
    async def receive(
        file_id: str, file: Annotated[UploadFile, File(alias="Filedata")], bearer: Bearer = None
    ) -> Response:
        return respond(straight.receive(bearer, file_id, file.file))

    return app


def flask(straight: Straight) -> Any:
    """Return an application of Flask."""
    from flask import Flask, Response, request

    app = Flask("peer")

    def respond(result: tuple[int, bytes]) -> Response:
        return Response(result[1], result[0], content_type=JSON)

    @app.patch("/users/<user_id>")
    def update(user_id: str) -> Response:
        change = UserChange.model_validate_json(request.get_data())
        return respond(straight.update(request.headers.get("Authorization"), user_id, change))

    @app.post("/users/<user_id>/drive/files")
    def announce(user_id: str) -> Response:
        announced = Announcement.model_validate_json(request.get_data())
        return respond(straight.announce(request.headers.get("Authorization"), announced))

    @app.post("/uploads/<file_id>")
    def receive(file_id: str) -> Response:
        file = request.files["Filedata"].stream
        return respond(straight.receive(request.headers.get("Authorization"), file_id, file))

    return app
