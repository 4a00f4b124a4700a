"""Correct ways to write the exercise of lesson 09."""

import asyncio
import base64
import hashlib
import hmac
import json
from functools import partial, wraps
from threading import Lock

HEADER = "X-SERVICE-Signature"


def is_genuine(secret, headers, body):
    digest = hmac.new(secret.encode("utf-8"), body, hashlib.sha256).digest()
    expected = base64.b64encode(digest).decode()
    return hmac.compare_digest(expected, headers.get(HEADER, ""))


def read(body):
    event = json.loads(body)
    if event.get("type") != "message":
        return None
    content, source = event["content"], event["source"]
    text = content["text"] if content["type"] == "text" else content["type"]
    return source.get("channelId"), source["userId"], text


def plain(secret, queue):
    seen = set()

    def receive(headers, body):
        if not is_genuine(secret, headers, body):
            return 403
        if body not in seen:
            seen.add(body)
            entry = read(body)
            if entry is not None:
                queue.append(entry)
        return 200

    return receive


class Receiver:
    def __init__(self, secret, queue):
        self.secret, self.queue, self.known = secret, queue, {}

    def __call__(self, headers, body):
        if not is_genuine(self.secret, headers, body):
            return 401
        if headers[HEADER] not in self.known:
            self.known[headers[HEADER]] = True
            self.queue.extend(filter(None, [read(body)]))
        return 200


class Bot:
    def __init__(self, secret, queue):
        self.secret, self.queue, self.seen, self.lock = secret, queue, [], Lock()

    def receive(self, headers, body):
        with self.lock:
            if not is_genuine(self.secret, headers, body):
                return 400
            digest = hashlib.sha256(body).hexdigest()
            if digest in self.seen:
                return 200
            self.seen.append(digest)
            if entry := read(body):
                self.queue += [entry]
            return 200


def make_async(secret, queue):
    handle = plain(secret, queue)

    async def receive(headers, body):
        await asyncio.sleep(0)
        return handle(headers, body)

    return receive


async def coroutine(secret, queue):
    return make_async(secret, queue)


def handle(secret, queue, seen, headers, body):
    if not is_genuine(secret, headers, body):
        return 401
    entry = read(body)
    if entry and body not in seen:
        seen.append(body)
        queue.append(list(entry))
    return 200


def with_partial(secret, queue):
    return partial(handle, secret, queue, [])


def checked(receive):
    @wraps(receive)
    def wrapper(headers, body):
        try:
            return receive(headers, body)
        except PermissionError:
            return 401

    return wrapper


def raising(secret, queue):
    seen = set()

    @checked
    def receive(headers, body):
        if not is_genuine(secret, headers, body):
            raise PermissionError
        if body not in seen and (entry := read(body)):
            queue.append(entry)
        seen.add(body)
        return 200

    return receive


VARIANTS = {
    "plain": plain,
    "class": Receiver,
    "async receiver": make_async,
    "coroutine": coroutine,
    "partial": with_partial,
    "decorated": raising,
    "lambda": lambda secret, queue: Bot(secret, queue).receive,
    "object": partial(Receiver),
}
