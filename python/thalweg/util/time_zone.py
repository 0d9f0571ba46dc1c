"""This machine's time zone."""

from __future__ import annotations

import os


def machine_zone() -> str:
    """The zone's name: TZ, /etc/timezone, or what /etc/localtime links to; UTC where none of them tells."""
    zone = os.environ.get("TZ", "").lstrip(":")
    if zone:
        return zone
    try:
        target = os.path.realpath("/etc/localtime")
        if "/zoneinfo/" in target:
            return target.partition("/zoneinfo/")[2]
        with open("/etc/timezone", encoding="utf-8") as file:
            return file.read().strip() or "UTC"
    except OSError:
        return "UTC"
