"""Runs the program and checks what each kind of function gave."""

import pathlib
import re
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).with_name("meters.py")


def test_every_kind_of_function() -> None:
    thalweg = pathlib.Path(sys.executable).parent / "thalweg"
    result = subprocess.run([thalweg, "run", str(PROGRAM)], check=False, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    parts = re.split(r"^-- (.*)$", result.stdout, flags=re.MULTILINE)[1:]
    tables = {name: [[c.strip() for c in line.split("|")[2:-1]] for line in text.split("\n") if "| +I |" in line] for name, text in
              zip(parts[::2], parts[1::2])}  # fmt: skip
    costs = tables["scalar functions, in SQL"]
    assert [row[0] for row in costs] == ["m-1", "m-2", "m-1", "m-2", "m-1", "m-2", "m-1"]
    assert costs[3][1:] == ["<NULL>", "<NULL>"]
    assert float(costs[0][2]) == 0.069
    assert tables["a map over rows"][3] == ["M-2", "nothing"]
    assert tables["a table function"] == [
        ["m-1", "spike"],
        ["m-2", "lost"],
        ["m-2", "low battery"],
        ["m-1", "spike"],
        ["m-1", "check"],
    ]
    spreads = {(row[0], row[1]): float(row[2]) for row in tables["an aggregate function in a window"]}
    assert round(spreads["m-1", "2025-03-01 10:01:00.000"], 6) == 8.7
    assert spreads["m-2", "2025-03-01 10:00:00.000"] == 0
    best = tables["a table aggregate function"]
    assert sorted(best) == [["m-1", "1", "9.8"], ["m-1", "2", "1.6"], ["m-2", "1", "0.55"], ["m-2", "2", "0.4"]]
