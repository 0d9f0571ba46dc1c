"""Where the control sockets of this user's processes are."""

from __future__ import annotations

import os


def socket_folder() -> str:
    """A folder that only this user can read."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return os.path.join(runtime, "thalweg") if runtime else f"/tmp/thalweg-{os.getuid()}"


def socket_path(pid: int) -> str:
    """The socket of a process."""
    return os.path.join(socket_folder(), f"{pid}.sock")
