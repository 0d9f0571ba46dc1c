#!/usr/bin/env python3
"""Fails when the code leaves its structure: a forbidden include, a file or function over its cap, a document that names a path that is gone.

usage: tools/check_structure.py     (from anywhere; prints each fault as path:line: what, exit 1 when there is one)
"""
from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "thalweg"

MAX_FILE_LINES = 800
MAX_FUNCTION_LINES = 70
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "misc", "common_stuff", "manager"}
CODE_SUFFIXES = {".cc", ".h", ".py", ".go", ".ts"}


def allowed_edges() -> dict[str, set[str]]:
    """module -> modules it may include, read from the thalweg_module(... DEPENDS ...) lines."""
    text = (SOURCE / "CMakeLists.txt").read_text()
    edges = {}
    for name, rest in re.findall(r"thalweg_module\((\w+)([^)]*)\)", text):
        depends = re.search(r"DEPENDS([\w\s]*?)(?:LIBRARIES|$)", rest)
        edges[name] = {name, *(depends.group(1).split() if depends else [])}
    return edges


def tracked(*patterns: str) -> list[pathlib.Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )
    return [ROOT / name for name in listed.stdout.split("\n") if name and (ROOT / name).exists()]


def include_faults(edges: dict[str, set[str]]) -> list[str]:
    faults = []
    for path in sorted(SOURCE.rglob("*.[ch]*")):
        module = path.relative_to(SOURCE).parts[0]
        for number, line in enumerate(path.read_text().split("\n"), 1):
            found = re.match(r'#include "thalweg/(\w+)/', line)
            if found and module in edges and found.group(1) not in edges[module]:
                faults.append(f"{path.relative_to(ROOT)}:{number}: module {module} may not include {found.group(1)}")
    return faults


def size_faults() -> list[str]:
    faults = []
    for path in tracked("src", "python", "tests", "tools", "benchmarks", "broker"):
        if path.suffix not in CODE_SUFFIXES:
            continue
        lines = path.read_text().split("\n")
        name = path.relative_to(ROOT)
        if len(lines) > MAX_FILE_LINES:
            faults.append(f"{name}:1: {len(lines)} lines, the cap is {MAX_FILE_LINES}")
        if path.stem in FORBIDDEN_NAMES:
            faults.append(f"{name}:1: a file named {path.stem} says nothing about what is in it")
        if path.suffix in {".cc", ".h"}:
            faults += [f"{name}:{n}: a function of {size} lines, the cap is {MAX_FUNCTION_LINES}" for n, size in long_functions(lines)]
    return faults


def signature_start(lines: list[str], brace: int) -> int:
    """The first line of the signature whose body opens on line `brace`: signatures and initialiser lists run over several lines."""
    start = brace
    while start > 0:
        previous = lines[start - 1].rstrip()
        if not previous or previous.endswith((";", "{", "}", ":", ">")) or previous.lstrip().startswith(("//", "#")):
            break
        start -= 1
    return start


def long_functions(lines: list[str]) -> list[tuple[int, int]]:
    """(first line, length) of bodies over the cap. The formatter puts a function's closing brace alone at its own indentation."""
    found = []
    for brace, line in enumerate(lines):
        if not re.match(r"^.*\)[\w\s&:<>,*()-]*\{$", line):
            continue
        start = signature_start(lines, brace)
        first = lines[start]
        if re.match(r"^\s*(if|for|while|switch|else|do|return|case|try|catch|namespace|class|struct|enum|union|const|constexpr|\})\b", first):
            continue
        close = first[: len(first) - len(first.lstrip())] + "}"
        for end in range(brace + 1, len(lines)):
            if lines[end] == close:
                if end - start + 1 > MAX_FUNCTION_LINES:
                    found.append((start + 1, end - start + 1))
                break
            if lines[end].startswith(close):
                break
    return found


def document_faults() -> list[str]:
    """Back-quoted paths and relative links in Markdown that do not exist."""
    faults = []
    for path in tracked("*.md"):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            names = re.findall(r"`((?:src|python|tests|docs|tools|broker|benchmarks|examples|web|cmake|deploy)/[\w./-]+)`", line)
            links = [n for n in re.findall(r"\]\(([^)#\s]+)", line) if "://" not in n and not n.startswith("mailto:")]
            for name in names:
                if not (ROOT / name).exists():
                    faults.append(f"{path.relative_to(ROOT)}:{number}: no such path: {name}")
            for name in links:
                if not (path.parent / name).exists():
                    faults.append(f"{path.relative_to(ROOT)}:{number}: no such link: {name}")
    return faults


def main() -> int:
    faults = include_faults(allowed_edges()) + size_faults() + document_faults()
    print("\n".join(faults) if faults else "structure: nothing found")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
