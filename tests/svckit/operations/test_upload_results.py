"""What an upload makes of the response that ends it."""

import pickle
from typing import Any

import httpx
import pytest

from svckit.errors import ServiceError, SizeDiffers

from ..conftest import Face, Scripted
from .ranges import CONTENT, DRIVE, upload


@pytest.fixture(params=[False, 20_000], ids=["whole", "in a range"])
def resumable(request: pytest.FixtureRequest) -> Any:
    return request.param


def answered(scripted: Scripted, status: int, **body: Any) -> None:
    scripted.on_upload(httpx.Response(status, **(body or {"json": {"fileId": "f-1"}})))


def failed(face: Face, resumable: Any, kind: type[ServiceError] = ServiceError) -> Any:
    with pytest.raises(kind) as caught:
        upload(face, CONTENT, resumable=resumable)
    assert caught.value.upload is None  # there is nothing to resume
    assert "try again" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("status", [200, 201])
def test_an_upload_with_a_result_is_stored(
    status: int, resumable: Any, on_script: Face, scripted: Scripted
) -> None:
    answered(scripted, status)
    assert upload(on_script, CONTENT, resumable=resumable).file_id == "f-1"


def test_a_200_for_a_part_of_one_request_is_not_followed(on_script: Face, scripted: Scripted) -> None:
    answered(scripted, 200, json={"offset": 100})
    assert "100 bytes have arrived" in str(failed(on_script, resumable=False))
    assert len(scripted.asked) == 2


@pytest.mark.parametrize("body", [{}, {"offset": 10_240}, []])
def test_a_200_without_a_result_says_to_look_first(
    body: Any, resumable: Any, on_script: Face, scripted: Scripted
) -> None:
    answered(scripted, 200, json=body)
    error = failed(on_script, resumable)
    assert "all 10240 bytes have arrived" in str(error)
    assert len(scripted.asked) == 2


@pytest.mark.parametrize("status", [202, 204, 206])
def test_another_success_may_have_stored_it(
    status: int, resumable: Any, on_script: Face, scripted: Scripted
) -> None:
    answered(scripted, status, content=b"")
    error = failed(on_script, resumable)
    assert error.status == status
    assert "may have taken effect. Check before you repeat it." in str(error)


def test_a_201_that_cannot_be_read_is_stored(resumable: Any, on_script: Face, scripted: Scripted) -> None:
    answered(scripted, 201, content=b"created")
    error = failed(on_script, resumable)
    assert "By its status, 201, the file was stored" in error.__notes__[0]


@pytest.mark.parametrize("status", [200, 201])
def test_a_size_that_differs_is_reported(
    status: int, resumable: Any, on_script: Face, scripted: Scripted
) -> None:
    answered(scripted, status, json={"fileId": "f-1", "fileSize": 10_239})
    error = failed(on_script, resumable, SizeDiffers)
    assert "'x.bin' is stored, but its size differs: 10240 bytes were sent" in str(error)
    assert "fileSize 10239" in str(error)
    assert (error.status, error.result.file_id) == (status, "f-1")
    assert pickle.loads(pickle.dumps(error)).result == error.result


def test_a_file_of_another_size_is_not_sent_again_with_the_others(
    on_script: Face, scripted: Scripted
) -> None:
    answered(scripted, 201, json={"fileId": "f-1", "fileSize": 1})
    first = on_script(lambda svc: svc.files.upload_many({"a": b"A", "b": b"BB"}, DRIVE, workers=1))
    assert [outcome.state for outcome in first] == ["ok", "failed"]
    sent = len(scripted.asked)
    second = on_script(lambda svc: svc.files.upload_many(first))
    assert isinstance(second[1].error, SizeDiffers)
    assert len(scripted.asked) == sent
