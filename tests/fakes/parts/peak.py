"""A program of its own: what a large upload and download add to the peak memory of the process, in MiB.

``python peak.py sync|async|requests MIB`` compares with a small transfer, after which everything is loaded. The peak is
read from /proc, because ``ru_maxrss`` begins with that of the program that started this one.
"""

import asyncio
import re
import sys
from pathlib import Path

import httpx

from fakes import FakeService

MIB = 1 << 20
BLOCK = b"x" * (64 * 1024)
HEAD = b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="big"\r\n\r\n'
TAIL = b"\r\n--b--\r\n"
FORM = {"Content-Type": "multipart/form-data; boundary=b"}
DRIVE = "https://api.fake.test/users/u-001/drive/files"


def body(size):
    yield HEAD
    for _ in range(size // len(BLOCK)):
        yield BLOCK
    yield TAIL


async def body_async(size):
    for chunk in body(size):
        yield chunk


def sync_transfer(fake, headers, size):
    with httpx.Client(transport=fake.transport(), headers=headers, timeout=None, trust_env=False) as http:
        url = http.post(DRIVE, json={"fileName": "big", "fileSize": size}).json()["uploadUrl"]
        file_id = http.post(url, content=body(size), headers=FORM).json()["fileId"]
        location = http.get(f"{DRIVE}/{file_id}/download").headers["Location"]
        with http.stream("GET", location) as response:
            return sum(map(len, response.iter_bytes()))


async def async_transfer(fake, headers, size):
    async with httpx.AsyncClient(
        transport=fake.transport(), headers=headers, timeout=None, trust_env=False
    ) as http:
        url = (await http.post(DRIVE, json={"fileName": "big", "fileSize": size})).json()["uploadUrl"]
        sent = await http.post(url, content=body_async(size), headers=FORM)
        location = (await http.get(f"{DRIVE}/{sent.json()['fileId']}/download")).headers["Location"]
        async with http.stream("GET", location) as response:
            return sum([len(chunk) async for chunk in response.aiter_bytes()])


def requests_transfer(fake, headers, size):
    import requests  # here, so that it costs the other transfers nothing

    with fake.responses(), requests.Session() as http:
        http.headers.update(headers)
        url = http.post(DRIVE, json={"fileName": "big", "fileSize": size}).json()["uploadUrl"]
        file_id = http.post(url, data=body(size), headers=FORM).json()["fileId"]
        location = http.get(f"{DRIVE}/{file_id}/download", allow_redirects=False).headers["Location"]
        with http.get(location, stream=True) as response:
            return sum(map(len, response.iter_content(MIB)))


def peak():
    """The most memory this process has had, in MiB."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024


def main(kind, mebibytes):
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    peaks = []
    for size in (2 * MIB, mebibytes * MIB):
        if kind == "async":
            came = asyncio.run(async_transfer(fake, headers, size))
        else:
            came = {"sync": sync_transfer, "requests": requests_transfer}[kind](fake, headers, size)
        assert came == size
        peaks.append(peak())
    print(peaks[1] - peaks[0])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
