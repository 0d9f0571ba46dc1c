"""Runs the program against a broker of its own: every reading is counted once."""

import json
import pathlib
import subprocess
import threading

PROGRAM = pathlib.Path(__file__).with_name("sensor_farm.py")
READINGS = [{"device_id": f"dev-{i % 3}", "ampere_hour": 0.25} for i in range(30)]


def charges(broker: str, total: float) -> dict[str, float]:
    """The charge of each device over all windows, once it adds up to `total`; the readings may lie in more than one window."""
    command = ["thalweg", "consume", "device.charge", "--bootstrap-server", broker, "--from-beginning"]
    sums: dict[str, float] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as consumer:
        patience = threading.Timer(60, consumer.kill)
        patience.start()
        try:
            assert consumer.stdout is not None
            for line in consumer.stdout:
                if line.startswith("{"):
                    record = json.loads(line)
                    sums[record["device_id"]] = sums.get(record["device_id"], 0.0) + record["charge"]
                if sum(sums.values()) >= total:
                    break
        finally:
            patience.cancel()
            consumer.kill()
    return sums


def test_every_reading_counts_once(broker: tuple[str, str]) -> None:
    kafka, _ = broker
    subprocess.run(
        ["thalweg", "produce", "sensor.readings", "--bootstrap-server", kafka],
        input="\n".join(map(json.dumps, READINGS)) + "\n",
        text=True,
        check=True,
        timeout=60,
    )
    subprocess.run(["thalweg", "topic", "create", "device.charge", "--bootstrap-server", kafka], check=True, timeout=60)
    job = subprocess.Popen(["thalweg", "run", str(PROGRAM), kafka, "2"])
    try:
        sums = charges(kafka, 7.5)
    finally:
        job.terminate()
        job.wait(30)
    assert sums == {"dev-0": 2.5, "dev-1": 2.5, "dev-2": 2.5}
