"""The command `thalweg`. Each command is a module here with a `main(arguments) -> exit code`, imported only when it is called.

Exit codes: 0 all went well; 1 a statement or job failed; 2 the command was not understood; 130 ended by Ctrl-C; 143 by SIGTERM.
"""

from __future__ import annotations

import sys

_COMMANDS = {
    "run": "run",
    "sql": "sql",
    "jobs": "jobs",
    "cancel": "jobs",
    "stop": "jobs",
    "savepoint": "jobs",
    "demo": "demo",
    "broker": "broker",
    "up": "services",
    "down": "services",
    "topic": "topic",
    "consume": "consume",
    "produce": "produce",
    "cluster": "cluster",
    "flink": "flink",
    "logs": "logs",
    "python": "python_shell",
}


def main(arguments: list[str] | None = None) -> int:
    """Runs one command."""
    arguments = sys.argv[1:] if arguments is None else arguments
    name = arguments[0] if arguments else "--help"
    if name in ("--version", "-V", "version"):
        from thalweg.version import __flink_version__, __version__

        print(f"thalweg {__version__} (follows Apache Flink {__flink_version__})")
        return 0
    if name in ("--help", "-h", "help"):
        return _help(arguments[1:])
    module = _COMMANDS.get(name)
    if module is None:
        return _unknown(name)
    return _call(module, name, arguments[1:])


def sql_client() -> int:
    """`sql-client.sh`: Flink's name and flags for `thalweg sql`."""
    arguments = [argument for argument in sys.argv[1:] if argument != "embedded"]
    return _call("sql", "sql", arguments)


def flink() -> int:
    """`flink`: Flink's name for `thalweg flink`."""
    return _call("flink", "flink", sys.argv[1:])


def _call(module: str, name: str, arguments: list[str]) -> int:
    import importlib

    from thalweg.cli.failures import guarded

    command = importlib.import_module(f"thalweg.cli.{module}")
    return guarded(lambda: command.main(name, arguments), verbose="--verbose" in arguments)


def _help(topic: list[str]) -> int:
    if topic and topic[0] in _COMMANDS:
        return _call(_COMMANDS[topic[0]], topic[0], ["--help"])
    from thalweg.cli.help_text import HELP

    print(HELP)
    return 0


def _unknown(name: str) -> int:
    import difflib

    near = difflib.get_close_matches(name, _COMMANDS, 1)
    hint = f"; did you mean `thalweg {near[0]}`?" if near else ""
    if name.endswith(".py"):
        hint = f"; to run a program: thalweg run {name}"
    print(f"thalweg: there is no command {name!r}{hint}\nSee `thalweg --help`.", file=sys.stderr)
    return 2
