"""Runs the script against a broker of its own and checks the averages."""

import pathlib
import re
import subprocess

SCRIPT = pathlib.Path(__file__).with_name("hopping_windows.sql")

EXPECTED = {
    ("7", "2026-03-01 09:55:00.000", "21.0"),
    ("7", "2026-03-01 10:00:00.000", "22.0"),
    ("7", "2026-03-01 10:05:00.000", "24.0"),
    ("7", "2026-03-01 10:10:00.000", "25.0"),
    ("8", "2026-03-01 10:00:00.000", "40.5"),
    ("8", "2026-03-01 10:05:00.000", "40.5"),
}


def test_averages(broker: tuple[str, str]) -> None:
    kafka, registry = broker
    result = subprocess.run(
        ["thalweg", "sql", "--alias", f"broker:9092={kafka}", "--alias", f"schema-registry:8081={registry}", "-f", str(SCRIPT)],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    rows = re.findall(r"\|\s*\+I\s*\|\s*(\d+)\s*\|\s*(\S+ \S+)\s*\|\s*\S+ \S+\s*\|\s*(\S+)\s*\|", result.stdout)
    assert set(rows) == EXPECTED
