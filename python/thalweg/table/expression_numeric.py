"""Expression methods on numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.table.expression_tree import ExpressionBase, symbol

if TYPE_CHECKING:
    from thalweg.table.expression import Expression
    from thalweg.table.expression_symbols import TimeIntervalUnit


def unary(name: str, doc: str) -> property:
    """A property that calls the SQL function `name` on the expression."""
    return property(lambda self: self._call(name), doc=doc)


class NumericExpressions(ExpressionBase):
    """Arithmetic, logarithms, trigonometry, rounding."""

    __slots__ = ()

    exp = unary("EXP", "Euler's number to the power of the value.")
    log10 = unary("LOG10", "The logarithm to base 10.")
    log2 = unary("LOG2", "The logarithm to base 2.")
    ln = unary("LN", "The natural logarithm.")
    cosh = unary("COSH", "The hyperbolic cosine.")
    sinh = unary("SINH", "The hyperbolic sine.")
    sin = unary("SIN", "The sine.")
    cos = unary("COS", "The cosine.")
    tan = unary("TAN", "The tangent.")
    cot = unary("COT", "The cotangent.")
    asin = unary("ASIN", "The arc sine.")
    acos = unary("ACOS", "The arc cosine.")
    atan = unary("ATAN", "The arc tangent.")
    tanh = unary("TANH", "The hyperbolic tangent.")
    degrees = unary("DEGREES", "Radians as degrees.")
    radians = unary("RADIANS", "Degrees as radians.")
    sqrt = unary("SQRT", "The square root.")
    abs = unary("ABS", "The absolute value.")
    sign = unary("SIGN", "-1, 0 or 1.")
    bin = unary("BIN", "The binary digits of an integer, as text.")
    hex = unary("HEX", "The hexadecimal digits of an integer or of a text's bytes.")
    unhex = unary("UNHEX", "The bytes that hexadecimal digits stand for.")

    def log(self, base: Any = None) -> Expression:
        """The logarithm to `base`, natural by default."""
        return self._call("LOG") if base is None else self._make(("call", "LOG", (_tree(base), self._tree)))

    def round(self, places: Any) -> Expression:
        """The number rounded to `places` decimal places."""
        return self._call("ROUND", places)

    def truncate(self, n: Any = 0) -> Expression:
        """The number cut to `n` decimal places."""
        return self._call("TRUNCATE", n)

    def floor(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression:
        """The greatest whole number not above it; or the time cut to a unit."""
        return self._call("FLOOR") if time_interval_unit is None else self._call("FLOOR", symbol(time_interval_unit.value))

    def ceil(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression:
        """The smallest whole number not below it; or the time moved up to a unit."""
        return self._call("CEIL") if time_interval_unit is None else self._call("CEIL", symbol(time_interval_unit.value))

    def percentile(self, percentage: Any, frequency: Any = None) -> Expression:
        """Aggregate: the value below which `percentage` (0 to 1) of the values lie; values may carry a frequency."""
        return self._call("PERCENTILE", percentage) if frequency is None else self._call("PERCENTILE", percentage, frequency)


def _tree(value: Any) -> Any:
    from thalweg.table.expression_tree import to_tree

    return to_tree(value)
