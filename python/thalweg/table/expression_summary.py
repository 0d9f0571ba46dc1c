"""Short texts of expressions, as Flink's asSummaryString writes them."""

from __future__ import annotations

from typing import Any

Tree = tuple[Any, ...]

_OPERATORS = {
    "+": "plus", "-": "minus", "*": "times", "/": "divide", "%": "mod", "=": "equals", "<>": "notEquals", "<": "lessThan",
    "<=": "lessThanOrEqual", ">": "greaterThan", ">=": "greaterThanOrEqual", "[]": "at", ".": "get", "CASE": "ifThenElse", "IN": "in",
    "UPPER": "upper", "LOWER": "lower", "INITCAP": "initCap", "SIMILAR TO": "similar", "TO_DATE": "toDate", "CONCAT_WS": "concat_ws",
    "FIRST_VALUE": "first_value", "LAST_VALUE": "last_value", "LISTAGG": "listAgg", "PARSE_URL": "parseUrl", "TRUNCATE": "truncate",
    "IFNULL": "ifNull", "$RANGE": "rangeTo", "$WITH_COLUMNS": "withColumns", "$WITHOUT_COLUMNS": "withoutColumns",
    "LOCALTIME": "localTime", "LOCALTIMESTAMP": "localTimestamp",
    "TIMESTAMPDIFF": "timestampDiff", "CURRENT_WATERMARK": "currentWatermark", "SOURCE_WATERMARK": "sourceWatermark",
}  # fmt: skip

# Flink's older functions have names in camel case; those of later versions are written as in SQL.
_CAMEL = frozenset({
    "ABS", "ACOS", "AND", "ARRAY", "ASCII", "ASIN", "ATAN", "ATAN2", "AVG", "BETWEEN", "BIN", "CARDINALITY", "CEIL", "CHAR_LENGTH",
    "CHR", "COLLECT", "CONCAT", "COS", "COSH", "COT", "COUNT", "CONVERT_TZ", "CURRENT_DATABASE", "CURRENT_DATE", "CURRENT_TIME",
    "CURRENT_TIMESTAMP", "DATE_FORMAT", "DECODE", "DEGREES", "DISTINCT", "E", "ELEMENT", "ENCODE", "EXP", "EXTRACT", "FLATTEN", "FLOOR",
    "FROM_BASE64", "FROM_UNIXTIME", "HEX", "INSTR", "IS_FALSE", "IS_NOT_FALSE", "IS_NOT_NULL", "IS_NOT_TRUE", "IS_NULL", "IS_TRUE",
    "LEFT", "LN", "LOCAL_TIME", "LOCAL_TIMESTAMP", "LOCATE", "LOG", "LOG10", "LOG2", "LPAD", "LTRIM", "MAP", "MAX", "MD5",
    "MIN", "NOT", "NOT_BETWEEN", "NOW", "OR", "OVERLAY", "PI", "POSITION", "POWER", "PROCTIME", "RADIANS", "RAND", "RAND_INTEGER",
    "REGEXP", "REGEXP_EXTRACT", "REGEXP_REPLACE", "REPEAT", "REPLACE", "REVERSE", "RIGHT", "ROUND", "ROW", "ROWTIME", "RPAD", "RTRIM",
    "SHA1", "SHA2", "SHA224", "SHA256", "SHA384", "SHA512", "SIGN", "SIN", "SINH", "SPLIT_INDEX", "SQRT", "STDDEV_POP", "STDDEV_SAMP",
    "STR_TO_MAP", "SUBSTR", "SUBSTRING", "SUM", "SUM0", "TAN", "TANH", "TEMPORAL_OVERLAPS", "TIMESTAMP_DIFF", "TO_BASE64",
    "TO_TIMESTAMP", "TRIM", "UNIX_TIMESTAMP", "UUID", "VAR_POP", "VAR_SAMP", "START", "END", "AS",
})  # fmt: skip
_UNIT_MS = {"SECOND": 1_000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": 86_400_000, "WEEK": 604_800_000}
_UNIT_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}


def summary(tree: Tree) -> str:
    """A short text of an expression."""
    kind = tree[0]
    if kind == "col":
        return str(tree[1])
    if kind == "lit":
        return "null" if tree[1] is None else f"'{tree[1]}'" if isinstance(tree[1], str) else _literal(tree[1])
    if kind == "interval":
        return _interval(tree)
    if kind == "as":
        return f"as({summary(tree[1])}, {', '.join(repr(name) for name in tree[2])})"
    if kind == "cast":
        return f"cast({summary(tree[1])}, {tree[2]})"
    if kind == "try_cast":
        return f"TRY_CAST({summary(tree[1])}, {tree[2]})"
    if kind in ("asc", "desc"):
        return f"{kind}({summary(tree[1])})"
    if kind == "over_alias":
        return f"over({summary(tree[1])}, {tree[2]!r})"
    if kind == "named_arg":
        return f"ASSIGNMENT({tree[1]!r}, {summary(tree[2])})"
    if kind == "bound":
        return f"{tree[1]}_{'ROW' if tree[2] == 'ROWS' else 'RANGE'}"
    if kind == "call":
        return _call(tree)
    if kind == "python":
        return f"{tree[1].name}({', '.join(summary(argument) for argument in tree[2])})"
    return str(tree[1])


def _literal(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _interval(tree: Tree) -> str:
    """Milliseconds or months, as Flink keeps them."""
    text, unit = str(tree[1]), tree[2]
    try:
        if unit in _UNIT_MONTHS:
            return str(int(text) * _UNIT_MONTHS[unit])
        return str(round(float(text) * _UNIT_MS[unit]))
    except (KeyError, ValueError):
        return f"{text} {unit}"


def _call(tree: Tree) -> str:
    name, arguments = tree[1], tree[2]
    if name == "-" and len(arguments) == 1:
        return f"minusPrefix({summary(arguments[0])})"
    if name == "$ROW_INTERVAL":
        return summary(arguments[0])
    if name == "OVERLAPS":
        return f"temporalOverlaps({', '.join(summary(argument) for row in arguments for argument in row[2])})"
    if name == "TRIM" and len(arguments) == 3 and arguments[0][0] == "symbol":
        sides = {"LEADING": "true, false", "TRAILING": "false, true", "BOTH": "true, true"}
        return f"trim({sides[arguments[0][1]]}, {summary(arguments[1])}, {summary(arguments[2])})"
    if name.startswith("IS JSON "):
        kind = name.removeprefix("IS JSON ")
        return f"IS_JSON({summary(arguments[0])}{'' if kind == 'VALUE' else ', ' + kind})"
    if name in ("JSON_EXISTS", "JSON_VALUE", "JSON_QUERY"):
        return f"{name}({', '.join(_json_parts(name, arguments))})"
    return f"{_name(name)}({', '.join(summary(argument) for argument in arguments)})"


def _json_parts(name: str, arguments: tuple[Tree, ...]) -> list[str]:
    """The input, the path, the type, and what each clause says; a default behind the clause that it belongs to."""
    parts = [summary(argument) for argument in arguments[:2]]
    clauses = list(arguments[2:])
    if name != "JSON_EXISTS":
        parts.append(clauses.pop(0)[1] if clauses and clauses[0][0] == "type" else "STRING")
    while clauses:
        clause = clauses.pop(0)
        word = clause[1]
        for end in (" ON EMPTY", " ON ERROR", " WRAPPER"):
            word = word.removesuffix(end)
        parts.append((f"{word}_ARRAY" if clause[1].endswith(" WRAPPER") else word).replace(" ", "_"))
        if name == "JSON_VALUE":
            parts.append(summary(clauses.pop(0)) if clauses and clauses[0][0] != "symbol" else "null")
    return parts


def _name(name: str) -> str:
    known = _OPERATORS.get(name)
    if known is not None:
        return known
    plain = name.lstrip("$").replace(" ", "_")
    if plain not in _CAMEL:
        return plain
    first, *rest = plain.lower().split("_")
    return first + "".join(part.title() for part in rest)
