"""Seeded sensor readings as JSON lines, the same bytes for the same arguments."""

from __future__ import annotations

import datetime
import pathlib
import random

START_MS = 1_700_000_000_000
EPOCH = datetime.date(1970, 1, 1)


def write_sensor_file(path: pathlib.Path, records: int, devices: int, step_ms: float, seed: int = 7) -> None:
    """`records` readings of `devices` devices, event time moving by `step_ms` a record. About 108 bytes each."""
    if path.exists():
        return
    generator = random.Random(seed)
    names = [f"{generator.getrandbits(48):012x}" for _ in range(devices)]
    today, date = -1, ""
    partial = path.with_suffix(".partial")
    with open(partial, "w") as file:
        for start in range(0, records, 10_000):
            lines = []
            for i in range(start, min(start + 10_000, records)):
                seconds, milli = divmod(START_MS + int(i * step_ms), 1000)
                days, clock = divmod(seconds, 86_400)
                if days != today:
                    today, date = days, (EPOCH + datetime.timedelta(days=days)).isoformat()
                lines.append(
                    f'{{"device_id":"{names[generator.randrange(devices)]}","temp":{generator.randrange(1500, 3500) / 100},'
                    f'"humidity":{generator.randrange(300, 700) / 10},"ampere_hour":{generator.randrange(1, 100) / 100},'
                    f'"ts":"{date} {clock // 3600:02d}:{clock // 60 % 60:02d}:{clock % 60:02d}.{milli:03d}"}}'
                )
            file.write("\n".join(lines) + "\n")
    partial.rename(path)
