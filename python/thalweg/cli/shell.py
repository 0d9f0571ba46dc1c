"""The interactive SQL shell."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from thalweg._session import state_folder
from thalweg.cli.sql_runner import PROMPT, SqlRunner, run_client_command

if TYPE_CHECKING:
    from thalweg._native import Result

_CONTINUED = " " * (len(PROMPT) - 2) + "> "
_HISTORY_LINES = 5000


class Shell:
    """Reads statements from a terminal and shows their results."""

    def __init__(self, runner: SqlRunner, history: str | None = None) -> None:
        self._runner = runner
        self._history = history or _history_file()

    def run(self) -> int:
        """Until QUIT or end of input; the exit code."""
        self._start_line_editing()
        print("Thalweg SQL. Statements end with ';'. HELP; shows more, QUIT; leaves.\n")
        try:
            while self._converse():
                pass
        finally:
            self._stop()
        return 0

    def _converse(self) -> bool:
        """One entry; whether more may follow. Ctrl-C, wherever it is heard, ends what is going on and not the shell."""
        try:
            text = self._read()
            for statement in [] if text is None else self._statements(text):
                if statement.strip().upper() in ("QUIT", "EXIT"):
                    return False
                self._run(statement)
            return text is not None
        except KeyboardInterrupt:
            print()
            return True

    def _read(self) -> str | None:
        """Lines up to a complete statement; None at the end of the input."""
        from thalweg import _native

        lines: list[str] = []
        while True:
            try:
                line = input(_CONTINUED if lines else PROMPT)
            except EOFError:
                print()
                return None
            except KeyboardInterrupt:
                print()
                lines = []
                continue
            lines.append(line)
            text = "\n".join(lines)
            word = text.strip().rstrip(";").upper()
            if word in ("QUIT", "EXIT", "HELP", "CLEAR") or _native.is_complete(text):
                self._remember(lines)
                return text
            if not text.strip():
                lines = []

    @staticmethod
    def _statements(text: str) -> list[str]:
        from thalweg import _native

        return [statement for statement, _, _ in _native.split_statements(text, True)]

    def _run(self, statement: str) -> None:
        if not run_client_command(statement):
            mode = self._runner.result_mode()
            # A batch result is whole at once: it is printed, unless pages were asked for.
            pages = mode == "table" and not self._runner.is_batch()
            show = self._page if pages else self._follow if mode == "changelog" else None
            try:
                self._runner.run(statement, show)
            except KeyboardInterrupt:
                print("[INFO] Query terminated.\n")

    @staticmethod
    def _page(result: Result) -> None:
        from thalweg.cli.result_view import TableView

        TableView(result).run()

    @staticmethod
    def _follow(result: Result) -> None:
        from thalweg.cli.result_view import ChangelogView

        ChangelogView(result).run()

    def _start_line_editing(self) -> None:
        try:
            import readline
        except ImportError:
            return
        from thalweg.cli.completion import Completer

        readline.set_completer(Completer(self._runner.session).complete)
        readline.set_completer_delims(" \t\n,()=<>*/+-;")
        editline = "libedit" in (getattr(readline, "__doc__", None) or "")
        readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
        readline.set_history_length(_HISTORY_LINES)
        readline.set_auto_history(False)
        with contextlib.suppress(OSError):
            readline.read_history_file(self._history)

    def _remember(self, lines: list[str]) -> None:
        """A statement is one entry of the history, on one line."""
        if "readline" in sys.modules:
            sys.modules["readline"].add_history(" ".join(line.strip() for line in lines))

    def _stop(self) -> None:
        if "readline" in sys.modules:
            with contextlib.suppress(OSError):
                os.makedirs(os.path.dirname(self._history) or ".", exist_ok=True)
                sys.modules["readline"].write_history_file(self._history)
        running = self._runner.running_jobs()
        for job in running:
            print(f"[INFO] Job {job.id} ends with this shell: {job.summary()}")
            job.cancel()


def _history_file() -> str:
    return os.path.join(state_folder(), "sql_history")
