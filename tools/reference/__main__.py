"""Writes docs/reference/{connectors,formats,functions,types}.md from what the engine says of itself.

usage: .venv/bin/python tools/reference [--check]     (--check writes nothing; exit 1 when a page is out of date)
"""

from __future__ import annotations

import pathlib
import sys

from pages import connectors_page, formats_page, functions_page, types_page

from thalweg import _native

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference"


def pages() -> dict[pathlib.Path, str]:
    """The text of each page."""
    facts = _native.reference()
    return {
        FOLDER / "connectors.md": connectors_page(facts["connectors"]),
        FOLDER / "formats.md": formats_page(facts["formats"]),
        FOLDER / "functions.md": functions_page(facts["functions"], facts["flink_functions"]),
        FOLDER / "types.md": types_page(facts["types"], facts["casts"]),
    }


def main() -> int:
    check = sys.argv[1:] == ["--check"]
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if not check:
            path.write_text(pages()[path], encoding="utf-8")
        print(f"{'out of date, run `make reference`' if check else 'written'}: {path}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
