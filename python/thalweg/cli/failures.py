"""How commands end: errors in words, exit codes, Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType


def guarded(command: Callable[[], int], verbose: bool = False) -> int:
    """Runs a command and turns what it raises into words on stderr and an exit code."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        return command()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`); nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except SystemExit:
        raise
    except Exception as error:
        if verbose:
            sys.excepthook = sys.__excepthook__
            raise
        report(error)
        return 1


def _terminated(signal_number: int, frame: FrameType | None) -> None:
    del frame
    raise SystemExit(128 + signal_number)


def report(error: BaseException) -> None:
    """One error in words, without our frames."""
    print(end="", flush=True)
    print(f"error: {describe(error)}", file=sys.stderr)


def describe(error: BaseException) -> str:
    """The text of an error; Python's own are named by their class unless they speak for themselves."""
    text = str(error)
    from thalweg.util.exceptions import Py4JError

    if isinstance(error, (Py4JError, ValueError, NotImplementedError)) and text:
        return text
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
