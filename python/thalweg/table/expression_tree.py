"""Expressions as trees of tuples, in the form that `thalweg/_native.pyi` describes."""

from __future__ import annotations

import datetime
import decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalweg.table.expression import Expression

Tree = tuple[Any, ...]

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class ExpressionBase:
    """What the families of expression methods stand on: a tree, and calls around it."""

    __slots__ = ("_tree",)

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def _call(self, name: str, *args: Any) -> Expression:
        """The SQL function or operator `name` with this expression as its first argument."""
        return self._make(("call", name, (self._tree, *(to_tree(a) for a in args))))

    @staticmethod
    def _make(tree: Tree) -> Expression:
        from thalweg.table.expression import Expression

        return Expression(tree)


def to_tree(value: Any) -> Tree:
    """The tree of an expression; anything else is a literal."""
    if isinstance(value, ExpressionBase):
        return value._tree
    if isinstance(value, tuple) and value and value[0] in ("symbol", "type"):
        return value
    return literal(value)


def call(name: str, *args: Any) -> Tree:
    """A call with arguments that are expressions or values."""
    return ("call", name, tuple(to_tree(a) for a in args))


def symbol(text: str) -> Tree:
    """A keyword argument such as DAY."""
    return ("symbol", text)


def literal(value: Any, data_type: Any = None) -> Tree:
    """A literal; its type follows Python's where `data_type` is None, as in Flink (int: INT, or BIGINT where it does not fit)."""
    if isinstance(value, datetime.timedelta) and data_type is None:
        return interval_of(value)
    if isinstance(value, (list, tuple)) and data_type is None:
        return ("call", "ARRAY", tuple(to_tree(v) for v in value))
    if isinstance(value, dict) and data_type is None:
        return ("call", "MAP", tuple(to_tree(x) for pair in value.items() for x in pair))
    if data_type is None:
        return ("lit", _plain(value), _type_of(value))
    from thalweg.table.type_text import to_type_text

    return ("lit", _plain(value), to_type_text(data_type))


def interval_of(value: datetime.timedelta) -> Tree:
    """A day-time interval to the microsecond."""
    micros = round(value / datetime.timedelta(microseconds=1))
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    seconds, fraction = divmod(micros, 1_000_000)
    text = f"{sign}{seconds}" + (f".{fraction:06}".rstrip("0") if fraction else "")
    return ("interval", text, "SECOND", None)


def _type_of(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "BOOLEAN NOT NULL"
    if isinstance(value, int):
        return "INT NOT NULL" if -(1 << 31) <= value < 1 << 31 else "BIGINT NOT NULL"
    if isinstance(value, float):
        return "DOUBLE NOT NULL"
    if isinstance(value, str):
        return f"CHAR({len(value)}) NOT NULL"
    if isinstance(value, (bytes, bytearray)):
        return f"BINARY({len(value)}) NOT NULL"
    if isinstance(value, decimal.Decimal):
        return _decimal_type(value)
    if isinstance(value, datetime.datetime):
        kind = "TIMESTAMP" if value.tzinfo is None else "TIMESTAMP_LTZ"
        return f"{kind}({_fraction_digits(value.microsecond)}) NOT NULL"
    if isinstance(value, datetime.date):
        return "DATE NOT NULL"
    if isinstance(value, datetime.time):
        return f"TIME({_fraction_digits(value.microsecond)}) NOT NULL"
    raise TypeError(f"cannot make a literal of {value!r} of {type(value)}; give its data type: lit(value, DataTypes...)")


def _decimal_type(value: decimal.Decimal) -> str:
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise TypeError(f"{value} is no DECIMAL")
    scale = max(0, -exponent)
    return f"DECIMAL({max(len(digits) + max(0, exponent), scale, 1)}, {scale}) NOT NULL"


def _fraction_digits(microsecond: int) -> int:
    if microsecond == 0:
        return 0
    return 3 if microsecond % 1000 == 0 else 6


def _plain(value: Any) -> Any:
    """The value as the contract takes it: times and decimals as SQL text, nested values as tuples."""
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return value.isoformat(sep=" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return interval_of(value)[1]
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, dict):
        return tuple((_plain(k), _plain(v)) for k, v in value.items())
    if isinstance(value, (list, tuple)) or hasattr(value, "_is_retract_msg"):
        return tuple(_plain(v) for v in value)
    return value
