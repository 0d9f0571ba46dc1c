"""The reference pages as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

NOTE = "<!-- Written by `make reference` from the engine's own tables; edit those. -->"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _code(text: str) -> str:
    """Inline code, whatever is in it."""
    if not text:
        return "(empty)"
    fence = "``" if "`" in text else "`"
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text.replace('|', chr(92) + '|')}{pad}{fence}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


def _options(options: Sequence[tuple[Any, ...]], prefix: str = "") -> list[str]:
    rows = []
    for key, kind, default, required, description, values in options:
        if key == "connector":
            continue
        meaning = _cell(description)
        if values:
            meaning += f"{' ' if meaning else ''}One of {', '.join(_code(value) for value in values)}."
        shown = "" if default is None else _code(default)
        rows.append([_code(prefix + key), kind, shown, "yes" if required else "", meaning])
    return _table(["option", "type", "default", "required", "meaning"], rows)


def connectors_page(connectors: Sequence[tuple[Any, ...]]) -> str:
    lines = [
        "# Connectors",
        "",
        NOTE,
        "",
        "`WITH ('connector' = 'NAME', ...)` of CREATE TABLE takes these. A `#` stands for any name. Options of formats carry the name",
        "of theirs and are in [formats.md](formats.md); `properties.*` of Kafka tables in [kafka-properties.md](kafka-properties.md).",
    ]
    for name, options, metadata in connectors:
        lines += ["", f"## {name}", "", *_options(options)]
        if metadata:
            rows = [[_code(key), _code(kind), "yes" if writable else ""] for key, kind, writable in metadata]
            lines += ["", "Metadata columns (`name TYPE METADATA FROM 'key'`; VIRTUAL unless writable):", ""]
            lines += _table(["key", "type", "writable"], rows)
    return "\n".join(lines) + "\n"


def formats_page(formats: Sequence[tuple[Any, ...]]) -> str:
    lines = [
        "# Formats",
        "",
        NOTE,
        "",
        "A table names its format with `'format' = 'NAME'` (Kafka: also `key.format`, `value.format`). In WITH, an option carries the",
        "format's name: `'json.ignore-parse-errors' = 'true'`, or `'value.json.ignore-parse-errors'` where `value.format` is set.",
    ]
    for name, options in formats:
        lines += ["", f"## {name}", ""]
        lines += _options(options, f"{name}.") if options else ["No options."]
    return "\n".join(lines) + "\n"


def _is_word(name: str) -> bool:
    return re.fullmatch(r"[A-Z][A-Z0-9_]*", name) is not None


def _forms(text: str) -> list[str]:
    """One form a line; errors show them in quotes."""
    forms = [line.strip().strip("'") for line in text.split("\n")]
    return [re.sub(r"^([A-Z]+)<", r"\1 <", form) for form in forms if form]


def _is_operator(function: tuple[Any, ...]) -> bool:
    names, _, forms, *_ = function
    return not _is_word(names[0]) or forms.lstrip("'").startswith(("<", "("))


def _function(names: Sequence[str], forms: str, description: str, examples: Sequence[str]) -> list[str]:
    others = [name for name in names[1:] if name not in forms]
    also = f" Also {', '.join(_code(name) for name in others)}." if others else ""
    shown = "<br>".join(_code(form) for form in _forms(forms) or [names[0]])
    return [shown, _cell(description) + also, "<br>".join(_code(text) for text in examples)]


def _flink_name(name: str, standing: str, here: str) -> list[str]:
    if standing == "internal":
        return [_code(name), "called by Flink's planner alone"]
    if standing == "missing":
        return [_code(name), "not there yet"]
    return [_code(name), _code(here) + {"table api": ", in the Table API only"}.get(standing, "")]


def functions_page(functions: Sequence[tuple[Any, ...]], flink_functions: Sequence[tuple[str, str, str]]) -> str:
    def part(title: str, chosen: Sequence[tuple[Any, ...]]) -> list[str]:
        rows = [_function(names, forms, description, examples) for names, _, forms, description, examples in chosen]
        return ["", f"## {title}", "", *_table(["form", "meaning", "examples"], rows)]

    public = [function for function in functions if not function[0][0].startswith("$")]
    scalars = [function for function in public if function[1] == "scalar"]
    lines = [
        "# Functions",
        "",
        NOTE,
        "",
        "The built-in functions and operators of SQL; the Table API calls the same ones. Each example is a test.",
        "AND, OR, NOT, BETWEEN, IN (a list), CASE, CAST and TRY_CAST are part of the language, and so are TUMBLE, HOP, CUMULATE,",
        "SESSION, TO_CHANGELOG and FROM_CHANGELOG in FROM; GROUPING, GROUPING_ID and GROUP_ID tell grouping sets and their copies apart.",
        "What Flink has and is missing here stands in [differences.md](differences.md).",
        *part("Operators and keywords", [function for function in scalars if _is_operator(function)]),
        *part("Scalar functions", [function for function in scalars if not _is_operator(function)]),
        *part("Aggregate functions", [function for function in public if function[1] == "aggregate"]),
        "",
        "## Names in Flink",
        "",
        "What `SHOW FUNCTIONS` lists, here as in Flink 2.3, and what it is here.",
        "",
        *_table(["name in Flink", "here"], [_flink_name(*known) for known in flink_functions]),
    ]
    return "\n".join(lines) + "\n"


def types_page(types: Sequence[tuple[Any, ...]], casts: Sequence[tuple[str, str, str]]) -> str:
    rows = []
    for _, spelling, limits, place, size, text in types:
        spellings = ", ".join(_code(part) for part in re.split(r", (?![^<(]*[>)])", spelling))
        width = {"": "", "0": "", "1": ""}.get(size, f", {size} bytes")
        rows.append([spellings, _cell(limits) or "what the types in it hold", _cell(place) + width, _code(text)])
    marks = {"implicit": "I", "total": "x", "checked": "!"}
    kinds = {(source, target): marks[kind] for source, target, kind in casts}
    names = [name for name, *_ in types]
    table = [[_code(source), *(kinds.get((source, target), "") for target in names)] for source in names]
    lines = [
        "# Types",
        "",
        NOTE,
        "",
        "The types of SQL and of `DataTypes`. Each takes NULL unless it says NOT NULL. In brackets: what a parameter is when it is left out.",
        "The text form is what CAST to STRING gives and results show; the samples are values that were cast.",
        "",
        *_table(["type", "values", "in a column", "text form"], rows),
        "",
        "## Casts",
        "",
        "From the type of the row to that of the column: `I` done by itself where the type is wanted (function arguments, comparisons),",
        "`x` by CAST, `!` by CAST, which fails for values that do not fit; TRY_CAST gives NULL for these. DECIMAL and shorter texts: a",
        "number that does not fit is NULL, a text is cut. Nested types are cast part by part.",
        "",
        *_table(["from \\ to", *(_code(name) for name in names)], table),
    ]
    return "\n".join(lines) + "\n"
