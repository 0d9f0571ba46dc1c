"""The SQL shell on a terminal: result modes, paging, completion, history. A pseudo-terminal stands in for the real one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

_WAIT_S = 30.0


class Terminal:
    """A shell on a pseudo-terminal of 24 lines by 80 columns."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self._pid, self._descriptor = pty.fork()
        if self._pid == 0:
            # Whoever runs the tests in the background ignores SIGINT, which children inherit.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(sys.executable, [sys.executable, "-m", "thalweg", *arguments], environment)
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._seen = ""

    def send(self, text: str) -> None:
        """Types."""
        self._seen = ""
        os.write(self._descriptor, text.encode())

    def expect(self, *texts: str) -> str:
        """All that came since the last `send`, once every text is in it."""
        return self._wait_for(lambda: [text for text in texts if text not in self._seen])

    def expect_in_order(self, *texts: str) -> str:
        """As `expect`, each text behind the one before: the end of an older picture does not count."""
        return self._wait_for(lambda: self._missing_in_order(texts))

    def _missing_in_order(self, texts: tuple[str, ...]) -> list[str]:
        at = 0
        for index, text in enumerate(texts):
            found = self._seen.find(text, at)
            if found < 0:
                return list(texts[index:])
            at = found + len(text)
        return []

    def _wait_for(self, missing: Callable[[], list[str]]) -> str:
        deadline = time.monotonic() + _WAIT_S
        while missing() and time.monotonic() < deadline:
            ready, _, _ = select.select([self._descriptor], [], [], 0.1)
            if ready:
                try:
                    self._seen += os.read(self._descriptor, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        assert not missing(), f"{missing()} did not come; what came: {self._seen[-4000:]!r}"
        return self._seen

    def screen(self) -> str:
        """The page that was drawn last, without escape sequences."""
        drawn = self._seen.rpartition("\x1b[H")[2]
        for sequence in ("\x1b[K", "\x1b[J", "\x1b[7m", "\x1b[0m", "\r"):
            drawn = drawn.replace(sequence, "")
        return drawn

    def run(self, statement: str) -> str:
        """Runs a statement that leaves no page; what it printed."""
        self.send(statement + "\n")
        return self.expect("\nFlink SQL> ")

    def leave(self) -> int:
        """QUIT; the exit code. A shell that does not leave is killed."""
        self.send("\x03")  # whatever is typed or shown
        deadline = time.monotonic() + _WAIT_S
        typed = time.monotonic()
        while time.monotonic() < deadline:
            # A slow machine may still be at the interrupt, which takes what was typed along.
            if time.monotonic() >= typed:
                with contextlib.suppress(OSError):
                    os.write(self._descriptor, b"QUIT;\n")
                typed = time.monotonic() + 3
            ready, _, _ = select.select([self._descriptor], [], [], 0.1)
            with contextlib.suppress(OSError):
                if ready:
                    os.read(self._descriptor, 65536)
            found, status = os.waitpid(self._pid, os.WNOHANG)
            if found:
                os.close(self._descriptor)
                return os.waitstatus_to_exitcode(status)
        self.kill()
        return -1

    def kill(self) -> None:
        """Ends the shell at once."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._descriptor)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Terminal]:
    """A shell with a history of its own."""
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm", "TZ": "UTC"}
    environment.pop("COLUMNS", None)
    environment.pop("LINES", None)
    terminal = Terminal(["sql"], environment)
    terminal.expect("Flink SQL> ")
    yield terminal
    assert terminal.leave() == 0


def numbers(shell: Terminal, rows: int) -> None:
    """A table `n` of the numbers 1 to `rows`, one at a time."""
    done = shell.run(
        "CREATE TABLE n (i INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100000', 'fields.i.kind' = 'sequence', "
        f"'fields.i.start' = '1', 'fields.i.end' = '{rows}');"
    )
    assert "[INFO] Execute statement succeeded." in done


def test_a_statement_of_several_lines_as_a_table(shell: Terminal) -> None:
    shell.send("SELECT 1 AS a,\n'x' AS b;\n")
    shell.expect("SQL query result (table) | finished", "Q leave")
    lines = shell.screen().split("\n")
    assert lines[0] == "SQL query result (table) | finished | rows 1 to 1 of 1 row, 1 change"
    assert [line.split() for line in lines[2:4]] == [["a", "b"], ["1", "x"]]
    assert "+--" not in shell.screen(), "there is no frame"
    shell.send("q")
    shell.expect("[INFO] Result left: 1 row, 1 change received.", "Flink SQL> ")


def test_changes_are_applied_in_place(shell: Terminal) -> None:
    shell.send("SELECT k, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a'), ('a')) AS t(k) GROUP BY k;\n")
    shell.expect("finished | rows 1 to 2 of 2 rows, 6 changes")
    assert [line.split() for line in shell.screen().split("\n")[2:5]] == [["k", "n"], ["a", "3"], ["b", "1"]]
    shell.send("Q")
    shell.expect("[INFO] Result left: 2 rows, 6 changes received.")


def test_paging(shell: Terminal) -> None:
    numbers(shell, 100)
    shell.send("SELECT i FROM n;\n")
    shell.expect("finished | rows 82 to 100 of 100 rows")
    for key, shown in (
        ("g", "rows 1 to 19"),
        ("n", "rows 20 to 38"),
        ("\x1b[B", "rows 21 to 39"),
        ("\x1b[5~", "rows 2 to 20"),
        ("e", "rows 82 to 100"),
    ):
        shell.send(key)
        shell.expect_in_order(f"finished | {shown} of 100 rows", "Q leave")
        first, last = int(shown.split()[1]), int(shown.split()[3])
        assert [line.strip() for line in shell.screen().split("\n")[3:22]] == [str(i) for i in range(first, last + 1)]
    shell.send("q")
    shell.expect("[INFO] Result left: 100 rows")


def test_an_endless_query_is_left_by_q_and_by_ctrl_c(shell: Terminal) -> None:
    shell.run("CREATE TABLE g (i INT) WITH ('connector' = 'datagen', 'rows-per-second' = '50');")
    shell.send("SELECT i FROM g;\n")
    shell.expect("SQL query result (table) | running", " rows, ")
    shell.send("q")
    shell.expect("[INFO] Query left: ", "Flink SQL> ")
    for mode in ("table", "changelog", "tableau"):
        shell.run(f"SET 'sql-client.execution.result-mode' = '{mode}';")
        shell.send("SELECT 'row' AS word, i FROM g;\n")
        shell.expect("word", " row")
        shell.send("\x03")
        shell.expect("[INFO] Query terminated.", "Flink SQL> ")
    assert "CANCELED" in shell.run("SHOW JOBS;")


def test_changelog_and_tableau(shell: Terminal) -> None:
    shell.run("SET 'sql-client.execution.result-mode' = 'changelog';")
    query = "SELECT k, COUNT(*) AS n FROM (VALUES ('a'), ('a')) AS t(k) GROUP BY k;"
    lines = [line.split() for line in shell.run(query).split("\r\n")]
    place = lines.index(["op", "k", "n"])
    assert lines[place + 1 : place + 4] == [["+I", "a", "1"], ["-U", "a", "1"], ["+U", "a", "2"]]
    assert ["[INFO]", "3", "changes", "received."] in lines
    shell.run("SET 'sql-client.execution.result-mode' = 'tableau';")
    shown = shell.run(query)
    assert "| +U |" in shown
    assert "Received a total of 3 rows" in shown


def test_a_batch_result_is_printed(shell: Terminal) -> None:
    shell.run("SET 'execution.runtime-mode' = 'batch';")
    shown = shell.run("SELECT TO_TIMESTAMP_LTZ(0, 3) AS t, CAST(NULL AS INT) AS i;")
    assert "| 1970-01-01 00:00:00.000 | <NULL> |" in shown
    assert "1 row in set" in shown


def test_cells_are_shown_as_flink_shows_them(shell: Terminal) -> None:
    shell.run("SET 'table.local-time-zone' = 'Asia/Kolkata';")
    shell.send("SELECT TO_TIMESTAMP_LTZ(0, 3) AS t, TRUE AS b, ARRAY[1, 2] AS a, CAST(NULL AS INT) AS i, 1e10 AS d;\n")
    shell.expect("finished | rows 1 to 1", "Q leave")
    assert shell.screen().split("\n")[3].split() == ["1970-01-01", "05:30:00.000", "TRUE", "[1,", "2]", "<NULL>", "1.0E10"]
    shell.send("q")


def test_completion_and_history(shell: Terminal, tmp_path: Path) -> None:
    numbers(shell, 1)
    shell.send("SHO\t")
    shell.expect("SHOW")
    shell.send(" TABL\t")
    shell.expect(" TABL", "E")  # as far as TABLE and TABLES agree
    shell.send("S;\n")
    assert "1 row in set" in shell.expect("\nFlink SQL> ")
    shell.send("\x1b[A")
    shell.expect("SHOW TABLES;")
    shell.send("\n")
    shell.expect("1 row in set", "\nFlink SQL> ")
    shell.send("SELECT\nnope;\n")
    shell.expect("[ERROR]", "\nFlink SQL> ")
    assert shell.leave() == 0
    assert "SHOW TABLES;" in (tmp_path / "thalweg" / "sql_history").read_text().split("\n")
    shell.__init__(["sql"], {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm"})  # type: ignore[misc] - the same history
    shell.expect("Flink SQL> ")
    shell.send("\x1b[A\x1b[A")
    shell.expect("SELECT nope;")
    shell.send("\n")
    shell.expect("[ERROR]", "\nFlink SQL> ")


def test_errors_and_help_leave_the_shell_up(shell: Terminal) -> None:
    assert "[ERROR] Could not execute SQL statement." in shell.run("SELEC 1;")
    assert "did you mean SELECT" in shell.run("SELEC 1;")
    assert "SET 'table.dml-sync' = 'true'" in shell.run("HELP;")
    shell.run("CREATE TABLE sink (i INT) WITH ('connector' = 'blackhole');")
    shell.run("SET 'table.dml-sync' = 'true';")
    assert "Complete execution of the SQL update statement." in shell.run("INSERT INTO sink VALUES (1);")
