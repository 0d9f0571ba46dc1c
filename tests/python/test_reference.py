"""The reference pages say what the engine knows."""

from __future__ import annotations

import pathlib
import subprocess
import sys

from thalweg import _native

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_pages_are_up_to_date() -> None:
    found = subprocess.run([sys.executable, ROOT / "tools" / "reference", "--check"], check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_name_of_flink_has_its_place() -> None:
    facts = _native.reference()
    known = {name for names, *_ in facts["functions"] for name in names}
    listed = [name for name, _, _ in facts["flink_functions"]]
    assert len(listed) == 251
    assert listed == sorted(listed)
    assert {standing for _, standing, _ in facts["flink_functions"]} == {"function", "syntax", "table api", "internal", "missing"}
    assert [name for name, standing, here in facts["flink_functions"] if standing == "function" and here not in known] == []
    assert [name for name, standing, here in facts["flink_functions"] if (standing in ("internal", "missing")) != (here == "")] == []


def test_what_is_ours_alone_is_an_alias_or_a_part_of_sql() -> None:
    facts = _native.reference()
    named = {here for _, _, here in facts["flink_functions"]}
    alone = {names[0] for names, kind, *_ in facts["functions"] if kind == "scalar" and not named.intersection(names)}
    # Calcite's functions, which Flink's list leaves out; and operators that are parts of SQL.
    assert {name for name in alone if name.isidentifier()} == {
        *("DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "HOUR", "IS_ALPHA", "IS_DECIMAL", "IS_DIGIT", "MINUTE", "MOD", "MONTH"),
        *("OCTET_LENGTH", "QUARTER", "SECOND", "TIMESTAMPADD", "WEEK", "YEAR"),
    }
