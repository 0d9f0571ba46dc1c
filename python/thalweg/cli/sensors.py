"""A farm of simulated sensors: readings as JSON, always the same for the same seed."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator

_FIRST_DEVICES = ("b8:27:eb:bf:9d:51", "00:0f:00:70:91:0a", "1c:bf:ce:15:ec:4d")


def device_names(count: int) -> list[str]:
    """Addresses of the devices; the first three are well known from the public data set that such programs use."""
    names = list(_FIRST_DEVICES[:count])
    for number in range(len(names), count):
        names.append("02:" + ":".join(f"{byte:02x}" for byte in number.to_bytes(5, "big")))
    return names


class SensorFarm:
    """Makes readings: environment values that drift slowly, and the charge used since the last reading."""

    def __init__(self, devices: int, seed: int) -> None:
        self._random = random.Random(seed)
        self._devices = device_names(devices)
        self._state = {
            name: [self._random.uniform(0.002, 0.006), self._random.uniform(45, 75), self._random.uniform(19, 28)] for name in self._devices
        }

    def reading(self, number: int, timestamp_ms: int) -> tuple[str, str]:
        """(device, JSON) of reading `number`."""
        device = self._devices[number % len(self._devices)]
        values = self._state[device]
        rand = self._random
        values[0] = min(0.015, max(0.001, values[0] + rand.uniform(-0.0002, 0.0002)))
        values[1] = min(99.0, max(10.0, values[1] + rand.uniform(-0.5, 0.5)))
        values[2] = min(45.0, max(5.0, values[2] + rand.uniform(-0.2, 0.2)))
        reading = {
            "device_id": device,
            "co": round(values[0], 6),
            "humidity": round(values[1], 1),
            "motion": rand.random() < 0.05,
            "temp": round(values[2], 1),
            "ampere_hour": round(rand.uniform(0.01, 0.4), 2),
            "ts": timestamp_ms,
        }
        return device, json.dumps(reading)


def paced(rate: float, count: int | None, seconds: float | None) -> Iterator[int]:
    """Numbers from 0, so many a second, up to `count` of them or for `seconds`; rate 0: as fast as they are taken."""
    start = time.monotonic()
    number = 0
    while count is None or number < count:
        elapsed = time.monotonic() - start
        if seconds is not None and elapsed >= seconds:
            return
        if rate > 0 and (wait := number / rate - elapsed) > 0:
            time.sleep(min(wait, 0.5))
            continue
        yield number
        number += 1
