"""What programs give to their functions: modules, archives in the working folder, requirements that pip installs."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalweg.datastream.archives import WorkingFolder

REQUIREMENTS = "python.requirements"
ARCHIVES = "python.archives"
INSTALL_FOLDER = "_PYTHON_REQUIREMENTS_INSTALL_DIR"

_lock = threading.Lock()
_installed: dict[str, Any] = {}
_folders: dict[str, WorkingFolder] = {}
_users: dict[str, int] = {}


def importable(file_path: str) -> None:
    """Makes a module, or the modules of a folder or zip file, importable; what was added last is found first."""
    path = os.path.abspath(file_path)
    place = os.path.dirname(path) if path.endswith(".py") else path
    if place not in sys.path:
        sys.path.insert(0, place)


def added(value: str | None, path: str, name: str | None) -> str:
    """A list of the configuration with another entry, `path#name`."""
    entry = os.path.abspath(path) + (f"#{name}" if name else "")
    return f"{value},{entry}" if value else entry


@contextlib.contextmanager
def files_of(config: dict[str, str]) -> Iterator[None]:
    """Everything is in place inside the `with`: requirements are installed, and archives lie in the process's working folder."""
    install_requirements(config)
    archives = config.get(ARCHIVES, "")
    if not archives:
        yield
        return
    _enter(archives)
    try:
        yield
    finally:
        _leave(archives)


def _enter(archives: str) -> None:
    from thalweg.datastream.archives import WorkingFolder

    with _lock:
        if _users.get(archives, 0) == 0:
            if archives not in _folders:
                _folders[archives] = WorkingFolder()
                for entry in archives.split(","):
                    path, _, target = entry.partition("#")
                    _folders[archives].unpack(path, target or None)
            _folders[archives].__enter__()
        _users[archives] = _users.get(archives, 0) + 1


def _leave(archives: str) -> None:
    with _lock:
        _users[archives] -= 1
        if _users[archives] == 0:
            _folders[archives].__exit__()


def install_requirements(config: dict[str, str]) -> None:
    """Installs what is not there yet into a folder of this process, from the cached packages where there are some."""
    requirements = config.get(REQUIREMENTS, "")
    with _lock:
        if not requirements or requirements in _installed:
            return
        import tempfile

        file, _, cache = requirements.partition("#")
        if not os.path.isfile(file):
            raise FileNotFoundError(f"the file of set_python_requirements() does not exist: {file}")
        folder = tempfile.TemporaryDirectory(prefix="thalweg-requirements-")
        atexit.register(folder.cleanup)
        if not _satisfied(file):
            try:
                _pip(file, cache, folder.name)
            except RuntimeError:
                folder.cleanup()
                raise
            sys.path.insert(0, folder.name)
        os.environ[INSTALL_FOLDER] = folder.name
        _installed[requirements] = folder


def _satisfied(file: str) -> bool:
    """Whether each line is a name, with an exact version or none, of what is installed here."""
    from importlib import metadata

    with open(file, encoding="utf-8") as lines:
        for line in lines:
            text = line.split("#")[0].strip()
            match = re.fullmatch(r"([A-Za-z0-9._-]+)\s*(?:==\s*([^\s;]+))?", text)
            if not text:
                continue
            if match is None:
                return False
            try:
                version = metadata.version(match[1])
            except metadata.PackageNotFoundError:
                return False
            if match[2] is not None and match[2] != version:
                return False
    return True


def _pip(file: str, cache: str, folder: str) -> None:
    import subprocess

    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", file, "--target", folder]
    if cache:
        command += ["--no-index", "--find-links", cache, "--no-build-isolation"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the requirements of {file} could not be installed: {(done.stderr or done.stdout).strip()}")
