"""`thalweg run`: runs a PyFlink program."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from types import ModuleType

from thalweg.cli.session_options import add_session_options, apply_session_options
from thalweg.util.user_traceback import print_user_traceback


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg run",
        description="Runs a PyFlink program as it is. Everything after the file belongs to the program.",
        epilog="example: thalweg run --alias broker:9092=localhost:9097 app.py --topic readings",
    )
    add_session_options(parser)
    parser.add_argument("-py", "--python", dest="python_file", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("-m", "-pym", "--pyModule", dest="module", metavar="MODULE", help="a module instead of a file, as `python -m`")
    parser.add_argument("file", nargs="?", help="the program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program gets")
    options = parser.parse_args(arguments)
    file, program_arguments = options.file, options.arguments
    if options.python_file or options.module:
        file, program_arguments = options.python_file, ([file] if file else []) + program_arguments
    if options.module:
        apply_session_options(options)
        return run_module(options.module, program_arguments, options.verbose)
    if not file:
        parser.error("which program? for example: thalweg run app.py")
    if not os.path.isfile(file):
        print(f"thalweg run: there is no file {file!r}", file=sys.stderr)
        return 2
    apply_session_options(options)
    return run_program(file, program_arguments, options.verbose)


def alias_folder() -> str:
    """The folder that holds the names `pyflink` and `py4j`: shipped inside the package, or beside it in the source tree."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    shipped = os.path.join(package, "_alias")
    return shipped if os.path.isdir(shipped) else os.path.dirname(package)


def run_program(file: str, arguments: list[str], verbose: bool = False) -> int:
    """Runs a file as `__main__`, with `pyflink` being ours."""
    with open(file, "rb") as source:
        code = compile(source.read(), file, "exec")
    use_alias()
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    sys.argv = [file, *arguments]
    program = ModuleType("__main__")
    program.__file__ = file
    program.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = program
    return _run(lambda: exec(code, program.__dict__), verbose)


def run_module(module: str, arguments: list[str], verbose: bool = False) -> int:
    """Runs a module as `__main__`, as `python -m` does, with `pyflink` being ours."""
    import runpy

    use_alias()
    sys.path.insert(0, os.getcwd())
    sys.argv = [module, *arguments]
    return _run(lambda: runpy.run_module(module, run_name="__main__", alter_sys=True), verbose)


def use_alias() -> None:
    """Makes `pyflink` ours for what is imported from now on."""
    folder = alias_folder()
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _run(program: Callable[[], object], verbose: bool) -> int:
    try:
        program()
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        if verbose:
            raise
        print_user_traceback(error, also=("<frozen runpy>",))
        return 1
    print(end="", flush=True)
    return 0
