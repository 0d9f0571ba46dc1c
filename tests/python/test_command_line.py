"""The command `thalweg`, as a user runs it."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from thalweg.cli.embedded_broker import EmbeddedBroker

ENVIRONMENT = {**os.environ, "TZ": "UTC", "PYTHONUNBUFFERED": "1"}


def thalweg(*arguments: object, stdin: str = "", cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    command = [sys.executable, "-m", "thalweg", *map(str, arguments)]
    return subprocess.run(
        command, check=False, input=stdin, capture_output=True, text=True, timeout=60, cwd=cwd, env={**ENVIRONMENT, **environment}
    )


def test_version_and_help() -> None:
    assert re.match(r"thalweg \d+\.\d+\.\d+ \(follows Apache Flink 2\.3\.0\)", thalweg("--version").stdout)
    assert "thalweg demo" in thalweg("--help").stdout
    for command in ("run", "sql", "broker", "topic", "consume", "produce", "demo", "up", "down", "jobs", "cancel", "stop", "savepoint"):
        shown = thalweg(command, "--help")
        assert shown.returncode == 0
        assert f"thalweg {command}" in shown.stdout
    wrong = thalweg("brokr")
    assert wrong.returncode == 2
    assert "did you mean `thalweg broker`" in wrong.stderr


def test_one_statement() -> None:
    done = thalweg("sql", "-e", "SELECT 1 AS a, 'x' AS b")
    assert done.returncode == 0
    assert "| +I |           1 |                              x |" in done.stdout
    assert re.search(r"Received a total of 1 row \(\d+\.\d\d seconds\)", done.stdout)
    assert done.stderr == ""


def test_scripts_take_the_words_of_the_shell(tmp_path: Path) -> None:
    (tmp_path / "job.sql").write_text("HELP;\nCLEAR;\nSELECT 'after' AS a;\nQUIT;\nSELECT 'never' AS b;\n")
    done = thalweg("sql", "-f", tmp_path / "job.sql")
    assert done.returncode == 0, done.stderr
    assert "SHOW JOBS" in done.stdout
    assert "after |" in done.stdout
    assert "never" not in done.stdout


def test_messages_about_a_job_are_not_torn_by_what_it_prints(tmp_path: Path) -> None:
    script = "CREATE TABLE p (a INT) WITH ('connector' = 'print');\n" + "INSERT INTO p VALUES (1), (2), (3);\n" * 10
    (tmp_path / "job.sql").write_text(script)
    done = thalweg("sql", "-f", tmp_path / "job.sql")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("[INFO] Submitting SQL update statement to the cluster...\n") == 10
    assert done.stdout.count("successfully submitted to the cluster:\nJob ID: ") == 10


def test_a_file_of_statements(tmp_path: Path) -> None:
    script = f"""
        -- a comment; with a semicolon
        SET 'execution.runtime-mode' = 'batch';
        CREATE TABLE t (a INT, s STRING) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/t', 'format' = 'csv');
        INSERT INTO t VALUES (1, 'a;b'), (2, 'c');
        SHOW TABLES;
    """
    (tmp_path / "job.sql").write_text(script)
    done = thalweg("sql", "-f", tmp_path / "job.sql")
    assert done.returncode == 0, done.stderr
    assert "Flink SQL> SHOW TABLES;" in done.stdout
    assert re.search(r"Job ID: [0-9a-f]{32}", done.stdout)
    assert sorted("".join(p.read_text() for p in (tmp_path / "t").glob("part-*")).split()) == ["1,a;b", "2,c"]


def test_an_init_file_and_standard_input(tmp_path: Path) -> None:
    (tmp_path / "init.sql").write_text("CREATE TEMPORARY VIEW v AS SELECT 7 AS n;")
    done = thalweg("sql", "-i", tmp_path / "init.sql", stdin="SELECT n + 1 AS m FROM v;")
    assert done.returncode == 0
    assert "|           8 |" in done.stdout


def test_the_first_failing_statement_ends_a_file(tmp_path: Path) -> None:
    (tmp_path / "job.sql").write_text("SELECT nope FROM (VALUES (1)) AS t(a);\nSELECT 2 AS late;\n")
    done = thalweg("sql", "-f", tmp_path / "job.sql")
    assert done.returncode == 1
    assert "[ERROR] Could not execute SQL statement." in done.stderr
    assert "^^^^" in done.stderr
    assert "late" not in done.stdout


def test_a_program_with_arguments(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("NAME = 'helper'\n")
    (tmp_path / "app.py").write_text(
        "import sys, helper\nfrom pyflink.table import EnvironmentSettings, TableEnvironment\n"
        "t = TableEnvironment.create(EnvironmentSettings.in_batch_mode())\n"
        "print(helper.NAME, sys.argv[1:], __name__, t.get_config().get('parallelism.default', ''))\n"
        "print(t._session.get('parallelism.default'))\n"
    )
    done = thalweg("run", "-D", "parallelism.default=3", tmp_path / "app.py", "--flag", "x")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["helper ['--flag', 'x'] __main__ ", "3"]
    assert thalweg(tmp_path / "app.py").returncode == 0
    assert thalweg("run", tmp_path / "none.py").returncode == 2


def test_a_failing_program_shows_its_own_frames(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "from pyflink.table import EnvironmentSettings, TableEnvironment\n"
        "t = TableEnvironment.create(EnvironmentSettings.in_batch_mode())\n"
        "t.execute_sql('SELECT nope FROM (VALUES (1)) AS t(a)')\n"
    )
    done = thalweg("run", tmp_path / "app.py")
    assert done.returncode == 1
    assert 'app.py", line 3' in done.stderr
    assert "thalweg/table/" not in done.stderr
    assert "Column 'nope' not found" in done.stderr


def test_silence_is_explained() -> None:
    done = thalweg("sql", "-e", "SELECT * FROM (VALUES (1), (2)) AS t(a) WHERE a > 5")
    assert "no output" in done.stderr


def test_ctrl_c_stops_cleanly_with_a_summary(tmp_path: Path) -> None:
    (tmp_path / "job.sql").write_text(
        "CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100');\n"
        "CREATE TABLE h (a INT) WITH ('connector' = 'blackhole');\nINSERT INTO h SELECT a FROM g;\n"
    )
    command = [sys.executable, "-m", "thalweg", "sql", "-f", str(tmp_path / "job.sql")]
    # Whoever runs the tests in the background ignores SIGINT, which children inherit.
    hear_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    job = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - one system call, no lock
    )
    assert job.stdout is not None
    while not job.stdout.readline().startswith("Job ID"):
        assert job.poll() is None
    job.send_signal(signal.SIGINT)
    _, errors = job.communicate(timeout=60)
    assert job.returncode == 130
    assert re.search(r"Job [0-9a-f]{32} CANCELED after [\d.]+ s: [\d,]+ rows in, [\d,]+ rows out, 0 late, 0 bad records", errors)


def test_topics_and_messages(broker: EmbeddedBroker) -> None:
    at = ("-b", broker.address)
    assert "created topic lines with 2 partitions" in thalweg("topic", "create", "lines", "--partitions", "2", *at).stdout
    again = thalweg("topic", "create", "lines", *at)
    assert again.returncode == 1
    assert "already exists" in again.stderr
    assert "lines\t2" in thalweg("topic", "list", *at).stdout
    assert "3 messages" in thalweg("produce", "lines", "--key-separator", "=", *at, stdin="k1=one\nk2=two\nthree\n").stderr
    shown = thalweg("consume", "lines", "--from-beginning", "--max", "3", "--print-key", *at)
    assert sorted(shown.stdout.splitlines()) == ["k1\tone", "k2\ttwo", "null\tthree"]
    described = [line.split("\t") for line in thalweg("topic", "describe", "lines", *at).stdout.splitlines()[1:]]
    assert sum(int(line[3]) for line in described) == 3
    assert thalweg("topic", "delete", "lines", *at).returncode == 0
    assert thalweg("topic", "describe", "lines", *at).returncode == 1


def test_equal_seeds_give_equal_readings(broker: EmbeddedBroker) -> None:
    at = ("-b", broker.address)
    for topic in ("farm1", "farm2"):
        made = thalweg(
            "produce", "sensors", "--topic", topic, "--count", "20", "--rate", "0", "--seed", "5", "--start-ms", "1700000000000", *at
        )
        assert made.returncode == 0, made.stderr
    one, two = (thalweg("consume", topic, "--from-beginning", "--max", "20", *at).stdout for topic in ("farm1", "farm2"))
    assert one == two
    assert '"ts": 1700000000100' in one


def test_addresses_by_alias(broker: EmbeddedBroker, tmp_path: Path) -> None:
    script = """
        CREATE TABLE r (n INT, s STRING) WITH ('connector' = 'kafka', 'topic' = 'aliased', 'scan.startup.mode' = 'earliest-offset',
          'scan.bounded.mode' = 'latest-offset', 'properties.bootstrap.servers' = 'broker:9092', 'format' = 'avro-confluent',
          'avro-confluent.url' = 'http://schema-registry:8081');
        INSERT INTO r VALUES (1, 'x');
    """
    (tmp_path / "in.sql").write_text(script)
    registry = f"schema-registry:8081=localhost:{broker.registry_port}"
    done = thalweg("sql", "--alias", f"broker:9092={broker.address}", "--alias", registry, "-f", tmp_path / "in.sql")
    assert done.returncode == 0, done.stderr
    (tmp_path / "thalweg.toml").write_text(
        f'[aliases]\n"broker:9092" = "{broker.address}"\n"schema-registry:8081" = "localhost:{broker.registry_port}"\n'
    )
    (tmp_path / "out.sql").write_text(script.replace("INSERT INTO r VALUES (1, 'x');", "SELECT * FROM r;"))
    read = thalweg("sql", "-f", "out.sql", cwd=tmp_path)
    assert "|           1 |                              x |" in read.stdout, read.stderr
    url = f"http://localhost:{broker.registry_port}"
    shown = thalweg(
        "consume", "aliased", "--from-beginning", "--max", "1", "-b", broker.address, "--value-format", "avro-confluent", "--registry", url
    )
    assert shown.stdout == '{"n": 1, "s": "x"}\n'


def test_up_and_down(tmp_path: Path) -> None:
    state = {"XDG_STATE_HOME": str(tmp_path)}
    assert "broker:9092" in thalweg("up", "--port", "0", "--registry-port", "0", **state).stdout
    try:
        assert "already up" in thalweg("up", **state).stdout
        statement = """CREATE TABLE r (n INT) WITH ('connector' = 'kafka', 'topic' = 'up', 'scan.startup.mode' = 'earliest-offset',
            'scan.bounded.mode' = 'latest-offset', 'properties.bootstrap.servers' = 'broker:9092', 'format' = 'json')"""
        done = thalweg("sql", "-e", statement, "-e", "INSERT INTO r VALUES (1)", **state)
        assert done.returncode == 0, done.stderr
    finally:
        assert "down" in thalweg("down", **state).stdout
    assert "nothing is up" in thalweg("down", **state).stdout


def test_a_broker_that_is_not_there() -> None:
    done = thalweg("topic", "list", "-b", "localhost:1")
    assert done.returncode == 1
    assert "localhost:1" in done.stderr


@pytest.mark.parametrize("arguments", [["sql", "-f", "/no/such.sql"], ["sql", "--alias", "broker", "-e", "SELECT 1"]])
def test_wrong_arguments_say_what_is_wrong(arguments: list[str]) -> None:
    done = thalweg(*arguments)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_jobs_of_other_processes(tmp_path: Path) -> None:
    runtime = {"XDG_RUNTIME_DIR": str(tmp_path)}
    (tmp_path / "job.sql").write_text(
        "CREATE TABLE g (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100');\n"
        "CREATE TABLE h (a INT) WITH ('connector' = 'blackhole');\nINSERT INTO h SELECT a FROM g;\n"
    )
    assert "no jobs are running" in thalweg("jobs", **runtime).stdout
    command = [sys.executable, "-m", "thalweg", "sql", "-f", str(tmp_path / "job.sql")]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**ENVIRONMENT, **runtime})
    try:
        deadline = time.monotonic() + 60
        while "RUNNING" not in (listed := thalweg("jobs", **runtime).stdout) and time.monotonic() < deadline:
            time.sleep(0.1)
        number = listed.split()[0]
        saved = thalweg("savepoint", number[:8], tmp_path / "saved", **runtime)
        assert saved.returncode == 0, saved.stderr
        assert Path(saved.stdout.split("Path: ")[1].strip()).exists()
        assert number in thalweg("cancel", number, **runtime).stdout
        job.communicate(timeout=60)
        assert job.returncode == 1
    finally:
        job.kill()
    assert thalweg("cancel", number, **runtime).returncode == 1


STREAM_PROGRAM = """
import time
from pyflink.datastream import StreamExecutionEnvironment

def slow(number):
    print("at work", flush=True)
    time.sleep(0.02)
    return number

environment = StreamExecutionEnvironment.get_execution_environment()
environment.from_collection(list(range(100_000))).map(slow).print()
environment.execute()
"""


def test_ctrl_c_stops_a_datastream_program_with_a_summary(tmp_path: Path) -> None:
    (tmp_path / "stream.py").write_text(STREAM_PROGRAM)
    hear_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    job = subprocess.Popen(
        [sys.executable, "-m", "thalweg", "run", str(tmp_path / "stream.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - one system call, no lock
    )
    try:
        assert job.stdout is not None
        # By then the program waits for its job.
        for _ in range(50):
            assert job.stdout.readline()
        job.send_signal(signal.SIGINT)
        _, errors = job.communicate(timeout=60)
    finally:
        job.kill()
    assert job.returncode == 130
    assert re.search(r"Job [0-9a-f]{32} CANCELED after", errors)


def test_a_job_can_be_steered_before_anything_is_printed_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody reads standard output, the job's own rows may have filled it."""
    from thalweg.cli.sql_runner import SqlRunner
    from thalweg.control import registry

    events: list[str] = []

    class Output(io.StringIO):
        def write(self, text: str) -> int:
            events.append(text)
            return len(text)

    runner = SqlRunner()
    assert runner.run("CREATE TABLE gone (n INT) WITH ('connector' = 'blackhole')")
    monkeypatch.setattr(registry, "_observers", [lambda job, is_query: events.append("published")])
    monkeypatch.setattr(sys, "stdout", Output())
    assert runner.run("INSERT INTO gone VALUES (1)")
    assert events[0] == "published"
    assert "Submitting" in events[1]
