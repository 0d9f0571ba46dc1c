"""Each example runs to its end and shows what it says it shows."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
SHOWN = {
    "example_00_hello_world": ["| +I |                   Hello world! |"],
    "example_01_catalogs_and_databases": ["tables: ['clicks', 'customers', 'orders', 'products']", "here: examples marketplace"],
    "example_02_unbounded_tables": ["5 rows in set", "20 clicks by", "stopped a statement"],
    "example_03_transforming_tables": ["| +U |", "2024-01-01 00:00:00.000 |    240 |"],
    "example_04_creating_tables": ["tables: ['orders_of_mine', 'totals', 'visits']"],
    "example_05_table_pipelines": ["user_agent", "view_time", "3 rows in set"],
    "example_06_values_and_data_types": ["`m` DECIMAL(38, 18)", "`tags` ARRAY<STRING>", "1 ['new', 'blue']"],
    "example_07_changelogs": ["| +U |  tea | 3 |", "|  tea | 3 |\n| milk | 1 |", "kinds of changes: ['+I', '+U', '-U']"],
    "example_08_testing_and_deploying": ["the pipeline does what it should", "vendors"],
}


@pytest.mark.parametrize("name", SHOWN)
def test_an_example(name: str) -> None:
    environment = {**os.environ, "TZ": "UTC", "REST_ENDPOINT": "local"}
    done = subprocess.run(
        [sys.executable, "-m", f"table_api_examples.{name}"],
        check=False, capture_output=True, text=True, timeout=120, cwd=HERE, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for text in SHOWN[name]:
        assert text in done.stdout


def test_every_example_has_a_runner() -> None:
    runners = (HERE / "pyproject.toml").read_text()
    for program in sorted((HERE / "table_api_examples").glob("example_*.py")):
        assert f'{program.stem} = "table_api_examples.{program.stem}:run"' in runners
        assert program.stem in SHOWN
