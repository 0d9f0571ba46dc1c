"""Folders of file sinks by the clock: a DateTimeFormatter pattern of Java's for the records' moment of writing."""

from __future__ import annotations

import datetime
from collections.abc import Callable

__all__ = ["bucket_namer"]

_FIELDS: dict[str, str] = {"y": "%Y", "u": "%Y", "M": "%m", "d": "%d", "H": "%H", "h": "%I", "m": "%M", "s": "%S", "D": "%j", "a": "%p"}


def bucket_namer(pattern: str, zone: str | None) -> Callable[[int], str]:
    """The folder's name for a time in milliseconds. Raises ValueError for letters that it does not know."""
    format_text = _format_of(pattern)
    zone_info = _zone(zone)
    return lambda ms: datetime.datetime.fromtimestamp(ms / 1000, zone_info).strftime(format_text)


def _literal(text: str) -> str:
    return text.replace("%", "%%")


def _field(letters: str, pattern: str) -> str:
    found = _FIELDS.get(letters[0])
    if found is None:
        raise ValueError(f"the pattern {pattern!r} of a bucket has the letters {letters!r}: known are y, u, M, d, D, H, h, m, s, a")
    return "%y" if letters in ("yy", "uu") else found


def _format_of(pattern: str) -> str:
    """The pattern for strftime."""
    text = ""
    position = 0
    while position < len(pattern):
        letter = pattern[position]
        if letter == "'":
            end = pattern.find("'", position + 1)
            end = len(pattern) if end < 0 else end
            text += _literal(pattern[position + 1 : end] or "'")
            position = end + 1
        elif letter.isalpha():
            end = position
            while end < len(pattern) and pattern[end] == letter:
                end += 1
            text += _field(pattern[position:end], pattern)
            position = end
        else:
            text += _literal(letter)
            position += 1
    return text


def _zone(zone: str | None) -> datetime.tzinfo | None:
    if zone is None:
        return None
    from zoneinfo import ZoneInfo

    return ZoneInfo(zone)
