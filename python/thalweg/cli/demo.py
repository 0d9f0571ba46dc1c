"""`thalweg demo`: a live Kafka topic, aggregated by a PyFlink program, with nothing installed."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import thalweg
from thalweg.cli.embedded_broker import EmbeddedBroker

if TYPE_CHECKING:
    from thalweg._native import Result

_SECONDS = 21.0
_WINDOW_S = 5
_RATE = 20.0
_LONGEST_STOP_S = 5.0

_RESULTS = """
CREATE TABLE device_charge (device_id STRING, window_start TIMESTAMP(3), window_end TIMESTAMP(3), charge_consumed DOUBLE, readings BIGINT)
WITH ('connector' = 'kafka', 'topic' = 'device.charge', 'properties.bootstrap.servers' = '{bootstrap}', 'format' = 'json',
      'properties.group.id' = 'demo', 'scan.startup.mode' = 'earliest-offset')
"""


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg demo",
        description="Starts an embedded Kafka broker, sends readings of simulated sensors to it, runs a PyFlink program that adds "
        "up the charge each sensor used in windows of some seconds, and shows the results as they come.",
    )
    parser.add_argument("--serve", action="store_true", help="go on until Ctrl-C")
    parser.add_argument("--devices", type=int, default=3, metavar="N", help="how many sensors (default 3)")
    parser.add_argument("--rate", type=float, default=_RATE, metavar="R", help=f"readings a second (default {_RATE:.0f})")
    parser.add_argument(
        "--window", type=int, default=_WINDOW_S, metavar="S", help=f"length of the windows in seconds (default {_WINDOW_S})"
    )
    parser.add_argument("--seed", type=int, default=1, help="equal seeds give equal readings (default 1)")
    parser.add_argument("--port", type=int, default=0, help="of the broker (default: a free one)")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    with EmbeddedBroker(options.port, topics=["sensor.readings", "device.charge"]) as broker:
        return Demo(broker, options).run()


def _hear_ctrl_c() -> None:
    """In the child: a demo that was itself started in the background ignores SIGINT, and would pass that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Demo:
    """One run: the farm is a thread of this process, the program a process of its own."""

    def __init__(self, broker: EmbeddedBroker, options: argparse.Namespace) -> None:
        self._broker = broker
        self._options = options
        self._stop = threading.Event()
        self._sent = 0
        self._results = 0
        self._charge = 0.0

    def run(self) -> int:
        program = os.path.join(os.path.dirname(thalweg.__file__), "demo", "sensor_charge.py")
        self._say_what(program)
        job = self._start_program(program)
        farm = threading.Thread(target=self._send_readings, daemon=True)
        farm.start()
        result = self._watch_results()
        try:
            self._show(result, job)
        except KeyboardInterrupt:
            print()
        finally:
            self._stop.set()
            result.close()
            farm.join(_LONGEST_STOP_S)
            self._end(job)
        self._say_end()
        return 0 if self._results else 1

    def _say_what(self, program: str) -> None:
        options = self._options
        print(f"{options.devices} simulated sensors send {options.rate:.0f} readings a second to the Kafka topic sensor.readings on an")
        print(f"embedded broker ({self._broker.address}). A PyFlink program adds up the charge of each in windows of {options.window} s:")
        print(f"  {os.path.relpath(program)}")
        print("It writes one record for each sensor and window to the topic device.charge. Shown here are these records, as they arrive:\n")
        print(f"{'sensor':<18}  {'window':<21}  {'readings':>8}  {'charge (Ah)':>11}", flush=True)

    def _start_program(self, program: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "thalweg", program, "--bootstrap", self._broker.address]
        command += ["--window-seconds", str(self._options.window)]
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_hear_ctrl_c,  # noqa: PLW1509 - one system call, no lock
        )

    def _send_readings(self) -> None:
        from thalweg import _native
        from thalweg.cli.sensors import SensorFarm, paced

        tools = _native.KafkaTools({"bootstrap.servers": self._broker.address})
        farm = SensorFarm(self._options.devices, self._options.seed)
        for number in paced(self._options.rate, None, None):
            if self._stop.is_set():
                break
            device, reading = farm.reading(number, int(time.time() * 1000))
            tools.produce("sensor.readings", device.encode(), reading.encode())
            self._sent = number + 1
        tools.flush(1000)

    def _watch_results(self) -> Result:
        from thalweg._session import new_session

        session = new_session({})
        session.execute(_RESULTS.format(bootstrap=self._broker.address))
        return session.execute("SELECT * FROM device_charge")

    def _show(self, result: Result, job: subprocess.Popen[bytes]) -> None:
        end = float("inf") if self._options.serve else time.monotonic() + _SECONDS
        while time.monotonic() < end and job.poll() is None:
            for _, row in result.next_rows(100, False, 200) or ():
                self._show_row(row)

    def _show_row(self, row: tuple[Any, ...]) -> None:
        device, start, finish, charge, readings = row
        self._results += 1
        self._charge += charge
        print(f"{device:<18}  {start:%H:%M:%S} to {finish:%H:%M:%S}   {readings:>8}  {charge:>11.2f}", flush=True)

    def _end(self, job: subprocess.Popen[bytes]) -> None:
        """Ctrl-C for the program: it stops its job cleanly and says what went through."""
        if job.poll() is None:
            print(flush=True)
            job.send_signal(signal.SIGINT)
            try:
                job.wait(_LONGEST_STOP_S)
            except subprocess.TimeoutExpired:
                job.kill()

    def _say_end(self) -> None:
        print(f"\n{self._sent} readings sent, {self._results} window results with {self._charge:.2f} Ah in all. The windows that were open")
        print("at the end were not sent: a window's result comes once, at its end.")
        print("\nNext: thalweg run your_program.py   thalweg sql   thalweg --help")
