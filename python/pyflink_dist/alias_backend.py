"""Builds the wheel `thalweg-pyflink` (PEP 517), with nothing but the standard library; refuses beside another owner of its names.

It is a backend of its own because the refusal must come while pip installs: a wheel cannot say what it conflicts with.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import os
import re
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
_PACKAGES = ("pyflink", "py4j")
_OTHER_OWNERS = {"apache-flink": "pyflink", "py4j": "py4j"}
_CLOCK = (1980, 1, 1, 0, 0, 0)  # the same bytes for the same sources


class NameTakenError(RuntimeError):
    """Another distribution owns a name that this one would install."""


def refuse_beside_others(folders: list[str]) -> None:
    """NameTakenError where a distribution in `folders` owns `pyflink` or `py4j`."""
    for found in importlib.metadata.distributions(path=folders):
        name = re.sub(r"[-_.]+", "-", str(found.metadata["Name"])).lower()
        if name in _OTHER_OWNERS:
            raise NameTakenError(
                f"{name} {found.version} is installed in {folders[0]} and owns the name {_OTHER_OWNERS[name]!r}. Use an environment "
                f"without it (pip uninstall {name}), or run programs with `thalweg run app.py`, which needs no thalweg-pyflink."
            )


def _refuse_here() -> None:
    paths = sysconfig.get_paths()
    refuse_beside_others(list(dict.fromkeys((paths["purelib"], paths["platlib"]))))


def _project() -> dict[str, str]:
    """The values of pyproject.toml; Python 3.10 has no reader of its own."""
    text = (_HERE / "pyproject.toml").read_text(encoding="utf-8")
    values = dict(re.findall(r'^([a-z-]+) = "([^"]*)"$', text.partition("[project]")[2], re.MULTILINE))
    values["dependencies"] = ",".join(re.findall(r'"([^"]+)"', text.partition("dependencies = [")[2].partition("]")[0]))
    return values


def _metadata() -> str:
    project = _project()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {name}" for name in project["dependencies"].split(",")),
    ]
    return "\n".join(lines) + "\n"


def _sources() -> list[tuple[str, Path]]:
    """(path in the wheel, file): beside this folder in the source tree, inside it in a source distribution."""
    root = _HERE.parent if (_HERE.parent / "pyflink" / "__init__.py").exists() else _HERE
    files = [
        file
        for package in _PACKAGES
        for file in sorted((root / package).rglob("*"))
        if file.suffix in (".py", ".pyi") or file.name == "py.typed"
    ]
    return [(file.relative_to(root).as_posix(), file) for file in files]


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Nothing is needed; but this is where pip first asks, so it is where the refusal comes."""
    del config_settings
    _refuse_here()
    return []


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Writes the wheel; its name."""
    del config_settings, metadata_directory
    _refuse_here()
    project = _project()
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    info = f"{stem}.dist-info"
    contents = [(path, file.read_bytes()) for path, file in _sources()]
    contents.append((f"{info}/METADATA", _metadata().encode()))
    contents.append((f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: alias_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"))
    record = [f"{path},sha256={_digest(data)},{len(data)}" for path, data in contents] + [f"{info}/RECORD,,"]
    contents.append((f"{info}/RECORD", ("\n".join(record) + "\n").encode()))
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents:
            wheel.writestr(zipfile.ZipInfo(path, _CLOCK), data)
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Writes the source distribution; its name."""
    del config_settings
    project = _project()
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    with tarfile.open(os.path.join(sdist_directory, f"{stem}.tar.gz"), "w:gz") as archive:
        for name in ("pyproject.toml", Path(__file__).name):
            archive.add(_HERE / name, f"{stem}/{name}")
        for path, file in _sources():
            archive.add(file, f"{stem}/{path}")
    return f"{stem}.tar.gz"


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
