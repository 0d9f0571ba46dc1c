"""The lines of a report: printed as they come, and written into their section of docs/reference/performance.md."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from measure import machine

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "reference" / "performance.md"
INTRODUCTION = """# Performance

Written by `make bench` and `make bench-peers`, each its own sections. Rates are rows per CPU-second (user + system, the whole tree of
processes), so they say what a core does; ratios compare runs of one sitting. A *gate lane* reads a file or topic, parsing included; an
*engine lane* has its rows in memory, and the cost of counting them is taken off.
"""
#: The sections in the order of the page.
SECTIONS = (
    "Thalweg alone",
    "Expressions",
    "As work grows",
    "Gate lane beside Apache Flink",
    "Engine lane beside Apache Flink",
    "Python beside PyFlink",
    "Expressions beside Apache Flink",
)


@dataclass(frozen=True)
class Line:
    """One row of a report. `reached` is None where there is no goal, or no measurement."""

    what: str
    value: str
    goal: str = ""
    reached: bool | None = None

    def cells(self) -> tuple[str, str, str, str]:
        return self.what, self.value, self.goal, {True: "yes", False: "**no**", None: ""}[self.reached]


class Report:
    """One section of the page."""

    def __init__(self, section: str, notes: str) -> None:
        assert section in SECTIONS
        self.section = section
        self.notes = notes
        self.lines: list[Line] = []

    def add(self, what: str, value: str, goal: str = "", reached: bool | None = None) -> None:
        self.lines.append(Line(what, value, goal, reached))
        mark = {True: "ok", False: "short", None: ""}[reached]
        print(f"{what:62} {value:>24}  {goal:26} {mark}", flush=True)

    def at_least(self, what: str, value: float, goal: float, form: str = "{:.2f}x") -> None:
        self.add(what, form.format(value), "at least " + form.format(goal), value >= goal)

    def at_most(self, what: str, value: float, goal: float, form: str) -> None:
        self.add(what, form.format(value), "at most " + form.format(goal), value <= goal)

    def skip(self, what: str, why: str) -> None:
        self.add(what, f"not measured: {why}")

    def markdown(self) -> str:
        rows = "\n".join(f"| {' | '.join(line.cells())} |" for line in self.lines)
        return f"{self.notes}\n\nMachine: {machine()}.\n\n| what | measured | goal | reached |\n| --- | --- | --- | --- |\n{rows}\n"

    def write(self, page: pathlib.Path = PAGE) -> None:
        """Puts this section in the place of its last version; the others stay."""
        sections = read_sections(page.read_text() if page.exists() else "")
        sections[self.section] = self.markdown()
        text = INTRODUCTION
        for name in SECTIONS:
            if name in sections:
                text += f"\n## {name}\n\n{sections[name].strip()}\n"
        page.write_text(text)


def read_sections(text: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    for part in text.split("\n## ")[1:]:
        name, _, body = part.partition("\n")
        sections[name.strip()] = body
    return sections
