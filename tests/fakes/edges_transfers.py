"""Edges of assumptions about files."""

from .edges import edges

PHOTO = "/users/u-001/photo"


def sending(*places, **request):
    """Content that is sent to several places in turn; the last response."""

    def call(me):
        *_, last = [me.send(me.url(place)) for place in places[:-1]] + [
            me.send(me.url(places[-1], **request))
        ]
        return last

    return call


edges(
    "file.photo",
    first=(sending(PHOTO), 201),
    second=(sending(PHOTO, PHOTO), (201, 409)),
    second_of_another_name=(sending(PHOTO, PHOTO, name="b.png"), (201, 409)),
    second_of_a_contact=(sending(*["/contacts/contact-1/photo"] * 2), (201, 409)),
    of_another_user=(sending(PHOTO, "/users/u-002/photo"), 201),
    attachment=(sending(*["/bots/bot-1/attachments"] * 2), 201),
    overwritten=(sending(PHOTO, PHOTO, overwrite=True), 201),
)


def downloading(by="u-001", *, asked_by=None, **passed):
    """Content from a URL that u-001 asked for, after some time, and once somebody else asked for it too."""

    def call(me):
        file_id = me.upload()["fileId"]
        url = me.locate(file_id).headers["Location"]
        me.fake.clock.advance(**passed)
        if asked_by:
            me.become(asked_by)
            assert me.locate(file_id).headers["Location"] == url
        me.become(by)
        return me.fetch(url)

    return call


edges(
    "file.download-validity",
    within_a_day=(downloading(hours=23, minutes=59), 200),
    at_the_end_of_the_day=(downloading(hours=24), 200),
    later=(downloading(hours=24, seconds=1), (200, 200, 404)),
    later_asked_again=(downloading(asked_by="u-001", hours=24, seconds=1), 200),
    by_another=(downloading("u-002", seconds=0), (200, 404, 200)),
    by_another_who_asked=(downloading("u-002", asked_by="u-002", seconds=0), 200),
)


def sending_range(written):
    return lambda me: me.send(me.url(), **{"Content-Range": f"{written} 0-4/5"})


edges(
    "file.range-unit",
    **{written: (sending_range(written), (201, 400)) for written in ("bytes", "Bytes", "BYTES")},
)
