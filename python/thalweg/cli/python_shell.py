"""`thalweg python`: Python with a TableEnvironment at hand."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import Any

from thalweg._session import state_folder
from thalweg.cli.run import use_alias
from thalweg.cli.session_options import add_session_options, apply_session_options

_BANNER = """\
Python {version} with a TableEnvironment: env
  env.execute_sql("SELECT 'Hello world!'").print()
  ConfluentTools.print_changelog_limit(env.from_path("examples.marketplace.clicks"), 5)
Ctrl-D leaves."""
_NAMES = {
    "thalweg.table": ("DataTypes", "Row", "Schema", "TableDescriptor", "TableEnvironment", "EnvironmentSettings"),
    "thalweg.table.confluent": ("ConfluentSettings", "ConfluentTableDescriptor", "ConfluentTools"),
    "thalweg.table.expressions": ("col", "lit", "row"),
    "thalweg.table.window": ("Over", "Session", "Slide", "Tumble"),
}


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg python",
        description="Python with a TableEnvironment at hand as `env`, and the usual names of the Table API.",
        epilog="Settings come from the environment and from the properties file that FLINK_PROPERTIES names; "
        "without client.rest-endpoint everything runs in this process.",
    )
    add_session_options(parser)
    options = parser.parse_args(arguments)
    apply_session_options(options)
    use_alias()
    names = _names()
    if not sys.stdin.isatty():
        exec(compile(sys.stdin.read(), "<stdin>", "exec"), names)
        return 0
    import code

    with _history(names):
        code.interact(_BANNER.format(version=sys.version.split()[0]), local=names, exitmsg="")
    return 0


def _names() -> dict[str, Any]:
    """What is defined at the prompt."""
    import importlib

    names: dict[str, Any] = {"__name__": "__main__"}
    for module, wanted in _NAMES.items():
        names.update({name: getattr(importlib.import_module(module), name) for name in wanted})
    builder = names["ConfluentSettings"].new_builder()
    settings = builder.build()
    if not settings.get_configuration().get_string("client.rest-endpoint", None):
        settings = builder.set_rest_endpoint("local").build()
    names["env"] = names["TableEnvironment"].create(settings)
    return names


@contextlib.contextmanager
def _history(names: dict[str, Any]) -> Any:
    """Completion and a history over sessions, where readline is there."""
    try:
        import readline
    except ImportError:
        yield
        return
    import rlcompleter

    path = os.path.join(state_folder(), "python_history")
    readline.set_completer(rlcompleter.Completer(names).complete)
    readline.parse_and_bind("tab: complete")
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            readline.write_history_file(path)
