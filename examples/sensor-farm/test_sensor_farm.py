"""Runs the program against a broker of its own: every reading is counted once."""

import json
import pathlib
import subprocess
import time

PROGRAM = pathlib.Path(__file__).with_name("sensor_farm.py")
READINGS = [{"device_id": f"dev-{i % 3}", "ampere_hour": 0.25} for i in range(30)]


def consume(broker: str, count: int) -> list[dict[str, object]]:
    shown = subprocess.run(
        ["thalweg", "consume", "device.charge", "--bootstrap-server", broker, "--from-beginning", "--max", str(count)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return [json.loads(line) for line in shown.stdout.splitlines() if line.startswith("{")]


def test_every_reading_counts_once(broker: tuple[str, str]) -> None:
    kafka, _ = broker
    subprocess.run(
        ["thalweg", "produce", "sensor.readings", "--bootstrap-server", kafka],
        input="\n".join(map(json.dumps, READINGS)) + "\n",
        text=True,
        check=True,
        timeout=60,
    )
    job = subprocess.Popen(["thalweg", "run", str(PROGRAM), kafka, "2"])
    try:
        time.sleep(1)  # the readings are there already; their window ends within two seconds
        sums = consume(kafka, 3)
    finally:
        job.terminate()
        job.wait(30)
    assert {record["device_id"]: record["charge"] for record in sums} == {"dev-0": 2.5, "dev-1": 2.5, "dev-2": 2.5}
