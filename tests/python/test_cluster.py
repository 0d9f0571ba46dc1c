"""Clusters and Flink's command line: submit, list, logs, cancel, savepoints, crashes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HEAD = """from pyflink.table import EnvironmentSettings, TableEnvironment
t = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
"""
SHORT = (
    HEAD
    + """print("from the program")
t.execute_sql("CREATE TABLE p (a INT) WITH ('connector' = 'print')")
t.execute_sql("INSERT INTO p VALUES (1), (2)").wait()
"""
)
ENDLESS = (
    HEAD
    + """t.execute_sql("CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '50')")
t.execute_sql("CREATE TABLE h (a INT) WITH ('connector' = 'blackhole')")
t.execute_sql("INSERT INTO h SELECT a FROM g")
"""
)
CRASH = ENDLESS + "import os, signal, time\ntime.sleep(0.3)\nos.kill(os.getpid(), signal.SIGSEGV)\n"
JOB_ID = re.compile(r"Job has been submitted with JobID ([0-9a-f]{32})")

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def thalweg(tmp_path: Path) -> Iterator[Run]:
    """Runs commands with a state of their own; ends the clusters that are left."""
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "XDG_RUNTIME_DIR": str(tmp_path / "run"), "TZ": "UTC"}
    (tmp_path / "run").mkdir()

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "thalweg", *map(str, arguments)]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, cwd=tmp_path, env=environment)

    for name, text in (
        ("short.py", SHORT),
        ("endless.py", ENDLESS),
        ("crash.py", CRASH),
        ("wrong.py", HEAD + "t.execute_sql('SELECT nope')\n"),
    ):
        (tmp_path / name).write_text(text)
    yield run
    clusters = tmp_path / "state" / "thalweg" / "clusters"
    for name in os.listdir(clusters) if clusters.exists() else []:
        run("cluster", "stop", name)


def wait_for_state(thalweg: Run, job: str, state: str) -> str:
    """The line of `flink list -a` about the job, once it says `state`."""
    deadline = time.monotonic() + 60
    while True:
        listed = thalweg("flink", "list", "-a").stdout
        line = next((line for line in listed.split("\n") if job in line), "")
        if f"({state})" in line or time.monotonic() > deadline:
            assert f"({state})" in line, listed
            return line
        time.sleep(0.1)


def test_a_program_runs_in_place_when_no_cluster_is_up(thalweg: Run) -> None:
    done = thalweg("flink", "run", "--python", "short.py")
    assert done.returncode == 0, done.stderr
    assert JOB_ID.search(done.stdout)
    assert "+I[1]\n+I[2]\n" in done.stdout
    assert thalweg("flink", "run", "-py", "wrong.py").returncode == 1
    missing = thalweg("flink", "run", "--python", "none.py")
    assert (missing.returncode, missing.stderr) == (1, "error: there is no file 'none.py'\n")
    java = thalweg("flink", "run", "-c", "org.example.Main", "app.jar")
    assert "need a JVM" in java.stderr


def test_a_cluster_takes_programs_and_keeps_what_became_of_them(thalweg: Run, tmp_path: Path) -> None:
    started = thalweg("cluster", "start", "mine", "--jobs", tmp_path)
    assert started.returncode == 0, started.stderr
    address = re.search(r"http://localhost:\d+", started.stdout)
    assert address is not None
    assert "is up already" in thalweg("cluster", "start", "mine").stderr
    # The dash as a text editor makes it, and the folder of jobs under the name that containers give it.
    done = thalweg("flink", "run", "\N{EN DASH}python", "/jobs/short.py")
    assert done.returncode == 0, done.stderr
    job = JOB_ID.search(done.stdout)
    assert job is not None
    assert "from the program" in done.stdout
    assert "+I[1]" not in done.stdout, "what a sink prints is in the job's log"
    assert f"Job with JobID {job.group(1)} has finished." in done.stdout
    assert "insert-into_default_catalog.default_database.p (FINISHED)" in wait_for_state(thalweg, job.group(1), "FINISHED")
    assert "+I[1]\n+I[2]\n" in thalweg("logs", job.group(1), "--stdout").stdout
    overview = json.load(urllib.request.urlopen(f"{address.group(0)}/jobs/overview", timeout=10))
    assert [(entry["jid"], entry["state"]) for entry in overview["jobs"]] == [(job.group(1), "FINISHED")]
    assert json.load(urllib.request.urlopen(f"{address.group(0)}/jobs", timeout=10)) == {
        "jobs": [{"id": job.group(1), "status": "FINISHED"}]
    }
    failed = thalweg("flink", "run", "-py", "wrong.py")
    assert failed.returncode == 1
    assert "Column 'nope' not found" in failed.stderr
    assert thalweg("cluster", "stop", "mine").returncode == 0
    assert "no cluster is up" in thalweg("cluster", "status").stdout


def test_jobs_of_a_cluster_are_steered(thalweg: Run, tmp_path: Path) -> None:
    assert thalweg("cluster", "start", "steer").returncode == 0
    done = thalweg("flink", "run", "-d", "-p", "2", "-py", "endless.py")
    assert done.returncode == 0, done.stderr
    job = JOB_ID.search(done.stdout)
    assert job is not None
    wait_for_state(thalweg, job.group(1), "RUNNING")
    saved = thalweg("flink", "savepoint", job.group(1), tmp_path / "saved")
    path = re.search(r"Savepoint completed. Path: (\S+)", saved.stdout)
    assert path is not None, saved.stderr
    assert thalweg("flink", "cancel", job.group(1)).stdout.endswith(f"Cancelled job {job.group(1)}.\n")
    wait_for_state(thalweg, job.group(1), "CANCELED")
    again = JOB_ID.search(thalweg("flink", "run", "-d", "-s", path.group(1), "-py", "endless.py").stdout)
    assert again is not None
    stopped = thalweg("flink", "stop", "-p", tmp_path / "saved", again.group(1))
    assert "Savepoint completed. Path:" in stopped.stdout, stopped.stderr
    wait_for_state(thalweg, again.group(1), "FINISHED")
    assert "is FINISHED already" in thalweg("flink", "cancel", again.group(1)).stderr
    assert "disposed" in thalweg("flink", "savepoint", "-d", path.group(1)).stdout
    assert not Path(path.group(1)).exists()


def test_a_crash_harms_no_other_job(thalweg: Run) -> None:
    assert thalweg("cluster", "start", "one").returncode == 0
    assert thalweg("cluster", "start", "two").returncode == 0
    assert "several clusters are up (one, two)" in thalweg("flink", "list").stderr
    living = JOB_ID.search(thalweg("flink", "run", "-m", "one", "-d", "-py", "endless.py").stdout)
    crashed = thalweg("flink", "run", "-m", "one", "-py", "crash.py")
    assert living is not None
    assert crashed.returncode == 128 + 11
    assert "SIGSEGV" in crashed.stderr
    listed = thalweg("flink", "list", "-a", "-m", "one").stdout
    assert listed.count("(RUNNING)") == 1
    assert f"{living.group(1)} : " in listed
    assert listed.count("(FAILED)") == 1
    assert "No running jobs" in thalweg("flink", "list", "-m", "two").stdout
    assert thalweg("cluster", "stop", "one").returncode == 0
    assert "two  up since" in thalweg("cluster", "status").stdout


def test_a_plan_without_running(thalweg: Run) -> None:
    shown = thalweg("flink", "info", "--python", "endless.py")
    plan = json.loads(shown.stdout.split("Execution Plan")[1].strip("- \n").split("\n---")[0])
    assert "Source" in plan["nodes"][0]["type"]
    assert "from the program" not in shown.stdout
