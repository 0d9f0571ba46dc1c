"""Tracebacks that tell users of their own code: without the frames of Thalweg, but for `python -X dev`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from types import TracebackType

__all__ = ["install", "print_user_traceback"]

_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_OURS = (*(os.path.join(_PACKAGES, name) + os.sep for name in ("thalweg", "pyflink", "py4j")), "<frozen importlib")


def install() -> None:
    """What ends a program is told like this, unless the program has set a hook of its own."""
    if sys.excepthook is sys.__excepthook__ and not sys.flags.dev_mode:
        sys.excepthook = _hook


def print_user_traceback(error: BaseException, also: tuple[str, ...] = ()) -> None:
    """The traceback of a program, of its causes too. Left out are our packages and files whose names begin with one of `also`."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stdout.flush()
    left_out = (*_OURS, *also)
    told: set[int] = set()
    to_tell: list[BaseException | None] = [error]
    while to_tell:
        one = to_tell.pop()
        if one is None or id(one) in told:
            continue
        told.add(id(one))
        one.__traceback__ = _without(one.__traceback__, left_out)
        to_tell += [one.__cause__, one.__context__]
    sys.__excepthook__(type(error), error, error.__traceback__)


def _hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    del kind
    print_user_traceback(error.with_traceback(trace))


def _without(trace: TracebackType | None, left_out: tuple[str, ...]) -> TracebackType | None:
    """The same traceback without the frames of some files."""
    kept: list[TracebackType] = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(left_out):
            kept.append(trace)
        trace = trace.tb_next
    chain: TracebackType | None = None
    for one in reversed(kept):
        chain = TracebackType(chain, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return chain
