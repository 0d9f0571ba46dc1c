"""A job that is killed and restarted writes every row exactly once."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time

from conftest import Topic, wait_until
from pyflink.table import EnvironmentSettings, TableEnvironment

PROGRAM = """
import sys
from pyflink.table import EnvironmentSettings, TableEnvironment

kafka, source, sink, folder, parallelism = sys.argv[1:6]
tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
config = tables.get_config()
config.set("parallelism.default", parallelism)
config.set("execution.checkpointing.interval", "300 ms")
config.set("execution.checkpointing.dir", folder)
if len(sys.argv) > 6:
    config.set("execution.state-recovery.path", sys.argv[6])
options = f"'connector' = 'kafka', 'properties.bootstrap.servers' = '{kafka}', 'format' = 'raw'"
tables.execute_sql(f"CREATE TABLE source (line STRING) WITH ({options}, 'topic' = '{source}', 'scan.startup.mode' = 'earliest-offset')")
tables.execute_sql(
    f"CREATE TABLE sink (line STRING) WITH ({options}, 'topic' = '{sink}', 'sink.delivery-guarantee' = 'exactly-once', "
    f"'sink.transactional-id-prefix' = '{sink}')"
)
tables.execute_sql("INSERT INTO sink SELECT line FROM source").wait()
"""


def latest_checkpoint(folder: pathlib.Path) -> str | None:
    """The newest complete checkpoint below `folder`."""
    manifests = sorted(folder.rglob("chk-*/manifest*"), key=lambda path: path.stat().st_mtime)
    return str(manifests[-1].parent) if manifests else None


def committed_lines(kafka: str, topic: str) -> list[str]:
    """What is in the topic now; what transactions left behind that were not committed is not."""
    tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    tables.execute_sql(
        f"""CREATE TABLE lines (line STRING) WITH ('connector' = 'kafka', 'topic' = '{topic}', 'format' = 'raw',
        'properties.bootstrap.servers' = '{kafka}', 'properties.isolation.level' = 'read_committed',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset')"""
    )
    with tables.execute_sql("SELECT line FROM lines").collect() as rows:
        return [row[0] for row in rows]


def test_kill_and_restart(kafka: str, topic: Topic, tmp_path: pathlib.Path) -> None:
    source = Topic(kafka, topic.name + "-source", 3)
    program = tmp_path / "job.py"
    program.write_text(PROGRAM)
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    log = (tmp_path / "job.log").open("w")

    def start(parallelism: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "thalweg", str(program), kafka, source.name, topic.name, str(folder), str(parallelism)]
        found = latest_checkpoint(folder)
        return subprocess.Popen(command + ([found] if found else []), stdout=log, stderr=log, env=os.environ)

    sent = 0
    for round_, parallelism in enumerate((1, 2, 1, 3)):
        job = start(parallelism)
        before = latest_checkpoint(folder)
        for _ in range(10):
            source.send([(b"%d" % i, b"row %d" % i) for i in range(sent, sent + 500)])
            sent += 500
            time.sleep(0.05)
        wait_until(lambda before=before: latest_checkpoint(folder) not in (None, before), what="a checkpoint")
        time.sleep(0.1 * round_)
        assert job.poll() is None, (tmp_path / "job.log").read_text()[-2000:]
        job.send_signal(signal.SIGKILL)
        job.wait()
    job = start(2)
    wait_until(lambda: len(committed_lines(kafka, topic.name)) >= sent, what="all rows")
    # One more, so that whatever was still to come has come.
    before = latest_checkpoint(folder)
    wait_until(lambda: latest_checkpoint(folder) != before, what="a checkpoint")
    job.terminate()
    job.wait(60)
    assert sorted(committed_lines(kafka, topic.name)) == sorted(f"row {i}" for i in range(sent))
    source.tools.delete_topic(source.name)
