"""Archives that functions read from their working folder."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

__all__ = ["WorkingFolder"]


class WorkingFolder:
    """A folder of unpacked archives, which is the process's working folder inside a `with`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="thalweg-archives-")
        atexit.register(self._folder.cleanup)
        self._before = ""

    def unpack(self, archive: str, target: str | None) -> None:
        """Unpacks `archive` as `target`, or under the archive's own name; folders and other files are linked."""
        place = os.path.join(self._folder.name, target or os.path.basename(archive))
        if os.path.isdir(archive) or not _is_archive(archive):
            os.symlink(os.path.abspath(archive), place)
        else:
            shutil.unpack_archive(archive, place)

    def __enter__(self) -> None:
        self._before = os.getcwd()
        os.chdir(self._folder.name)

    def __exit__(self, *exception: object) -> None:
        os.chdir(self._before)


def _is_archive(path: str) -> bool:
    return any(path.endswith(suffix) for _, suffixes, _ in shutil.get_unpack_formats() for suffix in suffixes)
