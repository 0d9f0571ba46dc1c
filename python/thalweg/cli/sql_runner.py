"""Runs SQL statements and prints what they give, as Flink's SQL client does."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from thalweg._session import new_session
from thalweg.cli.failures import describe
from thalweg.control.registry import publish, publish_query
from thalweg.util.exceptions import Py4JJavaError
from thalweg.util.silence import SilenceWatch, wait_for_job

if TYPE_CHECKING:
    from thalweg._native import Job, Result

PROMPT = "Flink SQL> "
_RESULT_MODE = "sql-client.execution.result-mode"
_ENDED = ("FINISHED", "FAILED", "CANCELED")


def run_client_command(statement: str) -> bool:
    """HELP and CLEAR; whether it was one of them."""
    word = statement.strip().upper()
    if word == "HELP":
        from thalweg.cli.help_text import SQL_HELP

        print(SQL_HELP)
    elif word == "CLEAR":
        if sys.stdout.isatty():
            print("\x1b[H\x1b[2J", end="", flush=True)
    else:
        return False
    return True


class SqlRunner:
    """One session and the jobs it started in the background."""

    def __init__(self) -> None:
        self.session = new_session({})
        self._jobs: list[Job] = []

    def run_script(self, script: str, echo: bool) -> int:
        """All statements, up to the first that fails; then waits for the jobs. The exit code."""
        from thalweg import _native

        if not script.rstrip().endswith(";"):
            script += ";"
        try:
            for statement, _, _ in _native.split_statements(script, True):
                if echo:
                    self._echo(statement)
                if self._is_quit(statement):
                    break
                if not run_client_command(statement) and not self.run(statement):
                    return 1
            return self._wait_for_jobs()
        except KeyboardInterrupt:
            # Wherever it was heard: between two statements too.
            self._cancel(self._jobs)
            self._jobs = []
            raise

    @staticmethod
    def _echo(statement: str) -> None:
        lines = statement.strip().split("\n")
        print(PROMPT + "\n> ".join(lines) + ";", flush=True)

    @staticmethod
    def _is_quit(statement: str) -> bool:
        return statement.strip().upper() in ("QUIT", "EXIT")

    def run(self, statement: str, show_query: Callable[[Result], None] | None = None) -> bool:
        """One statement; `show_query` shows the rows of queries (as a table by default). Whether it went well."""
        try:
            result = self.session.execute(statement, True)
            if result.is_query and (job := result.job) is not None:
                publish_query(job)
            if result.is_query and show_query is not None:
                show_query(result)
            else:
                self._show(result)
            return True
        except KeyboardInterrupt:
            raise
        except Exception as error:  # noqa: BLE001 (shown to the user)
            self.report(error)
            return False

    @staticmethod
    def report(error: BaseException) -> None:
        """An error as the SQL client shows it."""
        print(end="", flush=True)
        print(f"[ERROR] Could not execute SQL statement. Reason:\n{describe(error)}\n", file=sys.stderr, flush=True)

    def _show(self, result: Result) -> None:
        if result.is_insert:
            self._submitted(result)
            return
        style = "changelog" if result.is_query and self.result_mode() == "changelog" else "client"
        self._print_rows(result, style)
        print(flush=True)

    def _print_rows(self, result: Result, style: str) -> None:
        """The rows as they come; Ctrl-C ends a query that does not end."""
        watch = SilenceWatch(result.explain_silence)
        header = silent = True  # until the first text after the header of a table
        try:
            while (text := result.next_text(style, 1000)) is not None:
                if text:
                    print(text, end="", flush=True)
                    silent = silent and (header or "Received a total of 0 rows" in text or text.startswith("Empty set"))
                    header = False
                elif silent and result.is_query:
                    watch.second_passed()
        except KeyboardInterrupt:
            result.close()
            print(end="", flush=True)
            if result.job is not None:
                print("\n" + result.job.summary(), file=sys.stderr)
            raise
        if silent and result.is_query:
            watch.ended()

    def _submitted(self, result: Result) -> None:
        job = result.job
        if job is not None:
            # First of all: what follows waits where nobody reads what the job prints.
            publish(job)
        # In one piece: the job's own output may come at any time.
        print("[INFO] Submitting SQL update statement to the cluster...\n", end="", flush=True)
        if job is None:
            return
        if self.session.get("table.dml-sync") == "true":
            print("[INFO] Execute statement in sync mode. Please wait for the execution finish...", flush=True)
            try:
                wait_for_job(job, -1)
            except KeyboardInterrupt:
                self._cancel([job])
                raise
            print("[INFO] Complete execution of the SQL update statement.\n", flush=True)
            return
        self._jobs.append(job)
        print(f"[INFO] SQL update statement has been successfully submitted to the cluster:\nJob ID: {job.id}\n\n", end="", flush=True)

    def result_mode(self) -> str:
        """table, changelog or tableau."""
        return (self.session.get(_RESULT_MODE) or "table").lower()

    def is_batch(self) -> bool:
        """Whether queries give their rows when all input is read."""
        return (self.session.get("execution.runtime-mode") or "").upper() == "BATCH"

    def running_jobs(self) -> list[Job]:
        """The background jobs that have not ended."""
        return [job for job in self._jobs if job.status() not in _ENDED]

    def _wait_for_jobs(self) -> int:
        """Waits for the jobs in the background; the exit code."""
        failed = False
        for job in self._jobs:
            try:
                wait_for_job(job, -1)
            except KeyboardInterrupt:
                raise
            except Exception as error:  # noqa: BLE001 (shown to the user)
                self.report(error)
                failed = True
        self._jobs = []
        return 1 if failed else 0

    @staticmethod
    def _cancel(jobs: list[Job]) -> None:
        """Ends jobs, with what each did."""
        for job in jobs:
            job.cancel()
        for job in jobs:
            with contextlib.suppress(Py4JJavaError):
                job.wait(5000)
            print("\n" + job.summary(), file=sys.stderr, flush=True)
