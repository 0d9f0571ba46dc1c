"""The reference pages say what the engine knows."""

from __future__ import annotations

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_pages_are_up_to_date() -> None:
    found = subprocess.run([sys.executable, ROOT / "tools" / "reference", "--check"], check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
