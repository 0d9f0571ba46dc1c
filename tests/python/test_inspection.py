"""Running jobs seen from outside: operators, taps, state, and the stop that drains."""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SOURCE = "CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '200', 'fields.a.min' = '0', 'fields.a.max' = '2');"

Start = Callable[[str], "tuple[subprocess.Popen[str], dict[str, Any]]"]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Runs a SQL script in a process whose control socket this one can see; gives the process and its job, once that runs."""
    from thalweg.control.client import all_jobs

    # Longer than the address of a socket may be.
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("long" * 30)))
    started = []

    def run(script: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        (tmp_path / "job.sql").write_text(script)
        command = [sys.executable, "-m", "thalweg", "sql", "-f", str(tmp_path / "job.sql")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
        started.append(process)

        def running() -> Any:
            assert process.poll() is None, process.communicate()
            return [job for job in all_jobs() if job["status"] == "RUNNING"]

        return process, wait_for(running)[0]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def wait_for(look: Callable[[], Any]) -> Any:
    """What `look` gives, once that is something."""
    deadline = time.monotonic() + 120
    while not (found := look()):
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.05)
    return found


def ask(job: dict[str, Any], command: str, **more: Any) -> Any:
    from thalweg.control.client import request

    return request(job["path"], {"command": command, "id": job["id"], **more})


def thalweg(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "thalweg", *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_operators_taps_and_state_of_a_running_job(start: Start) -> None:
    _, job = start(f"""{SOURCE}
        CREATE TABLE h (a INT, n BIGINT) WITH ('connector' = 'blackhole');
        INSERT INTO h SELECT a, COUNT(*) FROM g GROUP BY a;""")
    operators = ask(job, "operators")
    assert operators[0]["kind"] == "source"
    assert operators[-1]["kind"] == "sink"
    grouping = next(one for one in operators if "Group" in one["name"])
    assert grouping["inputs"]

    tables = wait_for(lambda: [t for t in ask(job, "state", operator=grouping["id"])["tables"] if t["record_count"] == 3])
    assert sorted(record["key"] for record in tables[0]["records"]) == [["0"], ["1"], ["2"]]
    one_key = ask(job, "state", operator=grouping["id"], key="1")["tables"][0]
    assert [record["key"] for record in one_key["records"]] == [["1"]]
    assert int(one_key["records"][0]["fields"][0]) > 0

    ask(job, "tap", operator=grouping["id"], capacity=50)
    reading = wait_for(lambda: (seen := ask(job, "tapped", operator=grouping["id"]))["rows"] and seen)
    row = reading["rows"][0]
    assert row["kind"] in ("+I", "-U", "+U")
    assert row["operator"] == grouping["id"]
    assert row["id"] == f"{grouping['id']}.{row['subtask']}@{row['sequence']}"
    later = wait_for(lambda: ask(job, "tapped", operator=grouping["id"], cursor=reading["next"])["rows"])
    assert later[0]["sequence"] > row["sequence"]
    ask(job, "tap", operator=grouping["id"])
    assert any(entry["values"].get("numRecordsIn", 0) > 0 for entry in ask(job, "metrics"))
    with pytest.raises(ValueError, match="no operator 999"):
        ask(job, "tap", operator=999, capacity=1)

    shown = thalweg("jobs", job["id"][:8])
    assert grouping["name"] in shown
    assert "[1]: " in thalweg("jobs", job["id"][:8], "--state", str(grouping["id"]))


def test_a_running_query_is_seen_too(start: Start) -> None:
    _, job = start(f"{SOURCE}\nSELECT a FROM g;")
    assert ask(job, "operators")


@pytest.mark.parametrize("drain", [False, True])
def test_a_stop_that_drains_lets_windows_fire(start: Start, tmp_path: Path, drain: bool) -> None:
    process, job = start("""
        CREATE TABLE g (a INT, ts AS CURRENT_TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL '1' HOUR)
            WITH ('connector' = 'datagen', 'rows-per-second' = '200');
        CREATE TABLE p (n BIGINT) WITH ('connector' = 'print');
        INSERT INTO p SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE g, DESCRIPTOR(ts), INTERVAL '1' DAY)) GROUP BY window_start, window_end;""")
    wait_for(lambda: any(entry["values"].get("numRecordsIn", 0) > 0 for entry in ask(job, "metrics")))
    flags = ["--drain"] if drain else []
    assert "Savepoint completed." in thalweg("stop", job["id"], "--savepointPath", str(tmp_path / "saved"), *flags)
    out, _ = process.communicate(timeout=60)
    assert ("+I[" in out) == drain


def test_a_request_that_takes_long_holds_up_no_other(start: Start, tmp_path: Path) -> None:
    from thalweg.control.client import all_jobs

    # Nobody reads what it prints, so the sink waits, and with it the savepoint.
    process, job = start(f"""{SOURCE.replace("'200'", "'1000000'")}
        CREATE TABLE p (a INT) WITH ('connector' = 'print');
        INSERT INTO p SELECT a FROM g;""")
    assert process.stdout is not None
    pipe = process.stdout.fileno()

    def is_full() -> bool:
        waiting = array.array("i", [0])
        fcntl.ioctl(pipe, termios.FIONREAD, waiting)
        # Each of its pages may lack part of a line.
        return waiting[0] >= fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) - 16 * len("+I[0]\n")

    wait_for(is_full)

    def save() -> None:
        with contextlib.suppress(OSError, ValueError):
            ask(job, "savepoint", directory=str(tmp_path / "saved"))

    saving = threading.Thread(target=save, daemon=True)
    saving.start()
    time.sleep(0.2)
    assert [seen["id"] for seen in all_jobs()] == [job["id"]]
    assert saving.is_alive()
