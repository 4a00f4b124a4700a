"""A program of its own: what a large transfer with requests adds to the peak memory of the process, in MiB.

``python peak.py MIB`` compares with a small transfer, after which everything is loaded. The peak is read from /proc,
because ``ru_maxrss`` begins with that of the program that started this one.
"""

import re
import sys
from pathlib import Path

import requests

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


def transfer(fake, headers, size):
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


def main(mebibytes):
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    peaks = []
    for size in (2 * MIB, mebibytes * MIB):
        assert transfer(fake, headers, size) == size
        peaks.append(peak())
    print(peaks[1] - peaks[0])


if __name__ == "__main__":
    main(int(sys.argv[1]))
