"""The connector's own tests, against the real Kafka in place of the embedded broker."""

from __future__ import annotations

import os
import subprocess

from conftest import ROOT


def test_unit_tests_of_the_kafka_connector() -> None:
    program = ROOT / "build" / os.environ.get("BUILD_TYPE", "release") / "tests" / "unit" / "connectors_test"
    assert program.exists(), "tools/build.sh connectors_test builds it"
    done = subprocess.run([program, "-sf=*kafka*", "--no-intro=true"], check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
