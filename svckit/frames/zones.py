"""The time zone in which people read the times of a frame: that of the session's clock."""

from datetime import datetime
from typing import Any

import pandas as pd

__all__ = ["in_zone", "name_zone", "write_conversion"]

UTC = "+00:00"


def name_zone(source: Any) -> str:
    """Return the zone of a session's clock, as pandas takes it: a name, or an offset; UTC for a source without a clock.

    Examples:
        >>> import svckit
        >>> name_zone(svckit.connect(now="2026-06-01T09:00:00+09:00")), name_zone([])
        ('+09:00', '+00:00')
    """
    clock = getattr(source, "clock", None)
    if clock is None:
        return UTC
    now: datetime = clock.now()
    return getattr(getattr(clock, "zone", None), "key", "") or now.isoformat()[-6:]


def in_zone(frame: pd.DataFrame, zone: str) -> pd.DataFrame:
    """Return a frame with its times in UTC in another zone, at the same instants; other times keep their zone.

    Args:
        frame: the frame, such as ``svckit.frames.users(svc)``.
        zone: a name such as ``"Asia/Tokyo"``, or an offset such as ``"+09:00"``.

    Examples:
        >>> frame = pd.DataFrame({"at": pd.to_datetime(["2026-05-31T15:00:00Z"])})
        >>> str(in_zone(frame, "+09:00")["at"].iloc[0])
        '2026-06-01 00:00:00+09:00'
    """
    times = [name for name, dtype in frame.dtypes.items() if str(getattr(dtype, "tz", None)) == "UTC"]
    if zone == UTC or not times:
        return frame
    converted = frame.copy(deep=False)
    for name in times:
        converted[name] = frame[name].dt.tz_convert(zone)
    return converted


def write_conversion(code: str, zone: str) -> str:
    """Return code for a frame with its times in a zone.

    Examples:
        >>> write_conversion("svckit.frames.users(svc)", "+09:00")
        'svckit.frames.in_zone(svckit.frames.users(svc), "+09:00")'
    """
    return code if not code or zone == UTC else f'svckit.frames.in_zone({code}, "{zone}")'
