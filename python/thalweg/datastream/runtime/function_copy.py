"""Copies of user functions: one for each subtask, with the variables that they had when they were given to the stream."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from typing import Any

__all__ = ["bound_now", "own_copy"]


def bound_now(function: Any) -> Any:
    """A plain function with the variables that it sees now, as pickling it now would keep them.

    `for i in range(3): stream = stream.map(lambda x: x + i)` adds 0, 1 and 2. Objects that the variables refer to are shared.
    """
    if not isinstance(function, types.FunctionType):
        return function
    closure = function.__closure__
    if closure is not None:
        closure = tuple(_copied(cell) for cell in closure)
    variables = function.__globals__
    if function.__module__ == "__main__" and function.__name__ == "<lambda>":
        variables = dict(variables)
    elif closure is None:
        return function
    bound = types.FunctionType(function.__code__, variables, function.__name__, function.__defaults__, closure)
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__dict__.update(function.__dict__)
    bound.__module__ = function.__module__
    bound.__qualname__ = function.__qualname__
    return bound


def _copied(cell: types.CellType) -> types.CellType:
    try:
        return types.CellType(cell.cell_contents)
    except ValueError:
        # Not assigned yet: the function may refer to itself.
        return cell


def own_copy(function: Any) -> Any:
    """The function object of one subtask: fields that it changes are its own. What can't be copied is shared."""
    if isinstance(function, (types.FunctionType, types.BuiltinFunctionType, type)):
        return function
    try:
        return copy.deepcopy(function)
    except Exception:  # noqa: BLE001 (locks, modules, open files: whatever a user's object holds)
        return function


def method_of(function: Any, name: str) -> Callable[..., Any]:
    """The method `name` of a function object, or the callable itself."""
    method: Callable[..., Any] | None = getattr(function, name, None)
    if method is not None:
        return method
    if callable(function):
        called: Callable[..., Any] = function
        return called
    raise TypeError(f"The input must be a function with a method '{name}' or a callable, not {type(function).__name__}")
