"""`thalweg sql`: a shell for Flink SQL, files of statements, single statements."""

from __future__ import annotations

import argparse
import sys

from thalweg.cli.session_options import add_session_options, apply_session_options


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg sql",
        description="Runs Flink SQL: what you type, a file, or one statement.",
        epilog="In the shell, HELP; lists what else it takes. INSERTs run in the background; `sql -f` waits for them at its end.",
    )
    parser.add_argument("-f", "--file", metavar="FILE", help="run the statements of a file and end")
    parser.add_argument("-i", "--init", metavar="FILE", help="run the statements of a file first (tables, views, SET)")
    parser.add_argument("-e", "--execute", metavar="STATEMENT", action="append", default=[], help="run a statement and end; repeatable")
    parser.add_argument("-hist", "--history", metavar="FILE", help="where the shell keeps its history")
    for flag in ("-j", "--jar", "-l", "--library", "-pyfs", "--pyFiles", "-s2", "--session"):
        parser.add_argument(flag, dest="ignored", metavar="...", action="append", help=argparse.SUPPRESS)
    add_session_options(parser)
    options = parser.parse_args(arguments)
    if options.file and options.execute:
        parser.error("give a file or statements, not both")
    apply_session_options(options)

    from thalweg.cli.sql_runner import SqlRunner

    runner = SqlRunner()
    if options.init:
        runner.run_script(read_script(options.init), echo=False)
    if options.file:
        return runner.run_script(read_script(options.file), echo=True)
    if options.execute:
        return runner.run_script(";\n".join(options.execute), echo=False)
    if not sys.stdin.isatty():
        return runner.run_script(sys.stdin.read(), echo=True)

    from thalweg.cli.shell import Shell

    return Shell(runner, options.history).run()


def read_script(path: str) -> str:
    """The text of a file; a URL or `-` (standard input) too."""
    if path == "-":
        return sys.stdin.read()
    if path.startswith("file://"):
        path = path.removeprefix("file://")
    with open(path, encoding="utf-8") as file:
        return file.read()
