"""Expressions of the Table API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.table.expression_collection import BitmapExpressions, CollectionExpressions, JsonExpressions
from thalweg.table.expression_numeric import NumericExpressions, unary
from thalweg.table.expression_string import StringExpressions
from thalweg.table.expression_summary import summary
from thalweg.table.expression_symbols import (
    JsonExistsOnError,
    JsonOnNull,
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
    TimeIntervalUnit,
    TimePointUnit,
)
from thalweg.table.expression_temporal import TemporalExpressions
from thalweg.table.expression_tree import call, to_tree

if TYPE_CHECKING:
    from thalweg.table.types import DataType

__all__ = [
    "Expression", "JsonExistsOnError", "JsonOnNull", "JsonQueryOnEmptyOrError", "JsonQueryWrapper", "JsonType",
    "JsonValueOnEmptyOrError", "TimeIntervalUnit", "TimePointUnit",
]  # fmt: skip


class Expression(
    NumericExpressions,
    StringExpressions,
    TemporalExpressions,
    CollectionExpressions,
    BitmapExpressions,
    JsonExpressions,
):
    """A scalar or aggregate expression over the columns of a table.

    An expression is a tree that knows no table; a Table's method binds it, and that is when names and types are checked.
    Operators build expressions too: `(col("a") + 1 > 3) & col("b").is_not_null`.
    """

    __slots__ = ()

    def __init__(self, j_expr_or_property_name: Any) -> None:
        tree = j_expr_or_property_name
        super().__init__(("col", tree) if isinstance(tree, str) else tree)

    def __class_getitem__(cls, item: object) -> type:
        """Flink's Expression is generic: `Expression[int]` is taken in annotations."""
        return cls

    # --- operators
    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self._call("=", other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self._call("<>", other)

    def __lt__(self, other: Any) -> Expression:
        return self._call("<", other)

    def __le__(self, other: Any) -> Expression:
        return self._call("<=", other)

    def __gt__(self, other: Any) -> Expression:
        return self._call(">", other)

    def __ge__(self, other: Any) -> Expression:
        return self._call(">=", other)

    def __and__(self, other: Any) -> Expression:
        return self._call("AND", other)

    def __rand__(self, other: Any) -> Expression:
        return Expression(call("AND", other, self))

    def __or__(self, other: Any) -> Expression:
        return self._call("OR", other)

    def __ror__(self, other: Any) -> Expression:
        return Expression(call("OR", other, self))

    def __invert__(self) -> Expression:
        return self._call("IS NOT TRUE")

    def __abs__(self) -> Expression:
        return self._call("ABS")

    def __add__(self, other: Any) -> Expression:
        return self._call("+", other)

    def __radd__(self, other: Any) -> Expression:
        return Expression(call("+", other, self))

    def __sub__(self, other: Any) -> Expression:
        return self._call("-", other)

    def __rsub__(self, other: Any) -> Expression:
        return Expression(call("-", other, self))

    def __mul__(self, other: Any) -> Expression:
        return self._call("*", other)

    def __rmul__(self, other: Any) -> Expression:
        return Expression(call("*", other, self))

    def __truediv__(self, other: Any) -> Expression:
        return self._call("/", other)

    def __rtruediv__(self, other: Any) -> Expression:
        return Expression(call("/", other, self))

    def __mod__(self, other: Any) -> Expression:
        return self._call("%", other)

    def __rmod__(self, other: Any) -> Expression:
        return Expression(call("%", other, self))

    def __pow__(self, power: Any, modulo: Any = None) -> Expression:
        return self._call("POWER", power)

    def __rpow__(self, other: Any) -> Expression:
        return Expression(call("POWER", other, self))

    def __neg__(self) -> Expression:
        return self._call("-")

    def __pos__(self) -> Expression:
        return self

    def __getitem__(self, index: Any) -> Expression:
        return self.at(index)

    def __bool__(self) -> bool:
        raise ValueError("Cannot convert an expression to bool: use '&' for 'and', '|' for 'or', '~' for 'not' when building expressions.")

    def __str__(self) -> str:
        return summary(self._tree)

    def __repr__(self) -> str:
        return summary(self._tree)

    def __hash__(self) -> int:
        return id(self)

    # --- operators by name, as in Flink's Java API
    def plus(self, other: Any) -> Expression:
        """The sum; of texts, one after the other."""
        return self._call("+", other)

    def minus(self, other: Any) -> Expression:
        """The difference."""
        return self._call("-", other)

    def times(self, other: Any) -> Expression:
        """The product."""
        return self._call("*", other)

    def divided_by(self, other: Any) -> Expression:
        """The quotient."""
        return self._call("/", other)

    # --- logic
    is_null = unary("IS NULL", "Whether it is NULL.")
    is_not_null = unary("IS NOT NULL", "Whether it is not NULL.")
    is_true = unary("IS TRUE", "Whether it is TRUE, not NULL.")
    is_false = unary("IS FALSE", "Whether it is FALSE, not NULL.")
    is_not_true = unary("IS NOT TRUE", "Whether it is FALSE or NULL.")
    is_not_false = unary("IS NOT FALSE", "Whether it is TRUE or NULL.")

    def between(self, lower_bound: Any, upper_bound: Any) -> Expression:
        """Whether it lies between the bounds, both included."""
        return self._call("BETWEEN", lower_bound, upper_bound)

    def not_between(self, lower_bound: Any, upper_bound: Any) -> Expression:
        """Whether it lies outside the bounds."""
        return self._call("NOT BETWEEN", lower_bound, upper_bound)

    def then(self, if_true: Any, if_false: Any) -> Expression:
        """`if_true` where the condition holds, otherwise `if_false`."""
        return self._call("CASE", if_true, if_false)

    def if_null(self, null_replacement: Any) -> Expression:
        """The replacement where it is NULL."""
        return self._call("IFNULL", null_replacement)

    def in_(self, first_element_or_table: Any, *remaining_elements: Any) -> Expression:
        """Whether it is one of the elements, or in the one column of a table."""
        relation = getattr(first_element_or_table, "_relation", None)
        if relation is not None:
            if remaining_elements:
                raise ValueError("in_ takes one table or any number of elements, not both")
            return Expression(("in_table", self._tree, relation))
        return self._call("IN", first_element_or_table, *remaining_elements)

    # --- aggregates
    distinct = unary("DISTINCT", "The aggregate over distinct values: `col('a').sum.distinct`.")
    sum = unary("SUM", "The sum; NULL where there are no values.")
    sum0 = unary("$SUM0", "The sum; 0 where there are no values.")
    min = unary("MIN", "The smallest value.")
    max = unary("MAX", "The greatest value.")
    count = unary("COUNT", "The number of values that are not NULL.")
    avg = unary("AVG", "The mean.")
    first_value = unary("FIRST_VALUE", "The first value.")
    last_value = unary("LAST_VALUE", "The last value.")
    stddev_pop = unary("STDDEV_POP", "The standard deviation of the population.")
    stddev_samp = unary("STDDEV_SAMP", "The standard deviation of the sample.")
    var_pop = unary("VAR_POP", "The variance of the population.")
    var_samp = unary("VAR_SAMP", "The variance of the sample.")
    collect = unary("COLLECT", "A multiset of the values.")
    array_agg = unary("ARRAY_AGG", "An array of the values.")

    def list_agg(self, separator: Any = None) -> Expression:
        """The values as one text."""
        return self._call("LISTAGG", *(() if separator is None else (separator,)))

    # --- names, types, order
    def alias(self, name: str, *extra_names: str) -> Expression:
        """Names it; several names for the columns of a table function."""
        return Expression(("as", self._tree, (name, *extra_names)))

    def as_argument(self, name: str) -> Expression:
        """Gives it to a function as the argument `name`."""
        return Expression(("named_arg", name, self._tree))

    def cast(self, data_type: DataType) -> Expression:
        """The value as another type; an error where that cannot be."""
        return Expression(("cast", self._tree, _type_text(data_type)))

    def try_cast(self, data_type: DataType) -> Expression:
        """The value as another type; NULL where that cannot be."""
        return Expression(("try_cast", self._tree, _type_text(data_type)))

    @property
    def asc(self) -> Expression:
        """Ascending, in `order_by`."""
        return Expression(("asc", self._tree))

    @property
    def desc(self) -> Expression:
        """Descending, in `order_by`."""
        return Expression(("desc", self._tree))

    def over(self, alias: Any) -> Expression:
        """The aggregate over the window `alias` of an `over_window`."""
        name = to_tree(alias)[1]
        return Expression(("over_alias", self._tree, name))


def _type_text(data_type: Any) -> str:
    from thalweg.table.type_text import to_type_text

    return to_type_text(data_type)


use_flink_names(globals())
