"""Where the control sockets of this user's processes are."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

# What an address of the family AF_UNIX holds on Linux, without the zero at its end.
_SOCKET_PATH_BYTES = 107


def socket_folder() -> str:
    """A folder that only this user can read."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return os.path.join(runtime, "thalweg") if runtime else f"/tmp/thalweg-{os.getuid()}"


def socket_path(pid: int) -> str:
    """The socket of a process."""
    return os.path.join(socket_folder(), f"{pid}.sock")


@contextlib.contextmanager
def short_enough(path: str) -> Iterator[str]:
    """A name under which the socket can be bound and connected to, however long its path is."""
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES:
        yield path
        return
    folder = os.open(os.path.dirname(path), os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{os.path.basename(path)}"
    finally:
        os.close(folder)
