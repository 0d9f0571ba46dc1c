"""The distributions: what the alias wheel holds, and that it refuses to live beside apache-flink."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALIAS = ROOT / "python" / "pyflink_dist"


@pytest.fixture
def backend() -> ModuleType:
    """The build backend of thalweg-pyflink."""
    spec = importlib.util.spec_from_file_location("alias_backend", ALIAS / "alias_backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def installed(folder: Path, name: str, version: str) -> None:
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def test_the_alias_wheel_holds_the_names_and_nothing_else(backend: ModuleType, tmp_path: Path) -> None:
    name = backend.build_wheel(str(tmp_path))
    with zipfile.ZipFile(tmp_path / name) as wheel:
        tops = {path.split("/")[0] for path in wheel.namelist()}
        assert tops == {"pyflink", "py4j", "thalweg_pyflink-0.1.0.dist-info"}
        assert b"Requires-Dist: thalweg==0.1.0" in wheel.read("thalweg_pyflink-0.1.0.dist-info/METADATA")
        wheel.extractall(tmp_path / "site")
    path = str(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-c", "import pyflink, sys; print(pyflink.__file__)"],
        check=False, capture_output=True, text=True, timeout=60, env={"PYTHONPATH": path},
    )  # fmt: skip
    assert str(tmp_path / "site") in done.stdout, done.stderr


@pytest.mark.parametrize(("name", "owned"), [("apache-flink", "pyflink"), ("py4j", "py4j")])
def test_the_alias_refuses_to_be_installed_beside_an_owner_of_its_names(backend: ModuleType, tmp_path: Path, name: str, owned: str) -> None:
    backend.refuse_beside_others([str(tmp_path)])
    installed(tmp_path, name, "2.3.0")
    with pytest.raises(backend.NameTakenError, match=f"{name} 2.3.0 is installed .* owns the name '{owned}'"):
        backend.refuse_beside_others([str(tmp_path)])


def test_the_alias_refuses_to_be_imported_beside_apache_flink(backend: ModuleType, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / backend.build_wheel(str(tmp_path))) as wheel:
        wheel.extractall(tmp_path / "site")
    installed(tmp_path / "site", "apache-flink", "2.3.0")
    done = subprocess.run(
        [sys.executable, "-c", "import pyflink"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(tmp_path / "site")},
    )
    assert done.returncode == 1
    assert "ImportError: apache-flink (2.3.0) and thalweg-pyflink are both installed" in done.stderr
