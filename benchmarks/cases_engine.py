"""The engine by itself: rows in memory, no formats."""

from __future__ import annotations

import os
from dataclasses import dataclass

from bench import PROGRAMS, Bench
from measure import measure

#: Goals of the engine lane's cases, rows per CPU-second.
GOALS = {"tumble, dense": 20e6, "group by, mini-batch": 20e6, "group by, row by row": 5e6}
#: A machine with more to do than this has no second core to give.
QUIET_LOAD = 0.5


@dataclass(frozen=True)
class Lane:
    """What the program `engine_lane` says of a case."""

    name: str
    rate: float
    whole_cpu_s: float
    whole_wall_s: float


def lanes(core: int | None = None, **options: int | str) -> list[Lane]:
    command = [str(PROGRAMS / "engine_lane")]
    for key, value in options.items():
        command += [f"--{key}", str(value)]
    found = []
    for line in measure(command, core=core).output.strip().split("\n"):
        name, rate, cpu_s, _, wall_s = line.split("\t")
        found.append(Lane(name, float(rate), float(cpu_s), float(wall_s)))
    return found


def engine_lane(bench: Bench) -> None:
    for lane in lanes(rows=bench.records * 2, repeat=bench.runs):
        goal = GOALS.get(lane.name)
        what = f"engine lane: {lane.name}, rows/CPU-s"
        if goal is None:
            bench.report.add(what, f"{lane.rate / 1e6:.1f} M")
        else:
            bench.report.at_least(what, lane.rate / 1e6, goal / 1e6, "{:.1f} M")
    parallelism(bench)


def parallelism(bench: Bench) -> None:
    """A chain's source and its keyed operators are threads of their own: alone on one core at parallelism 1, so that cores are compared."""
    load = os.getloadavg()[0]
    case = "tumble, dense"
    one = lanes(core=0, rows=bench.records * 2, repeat=bench.runs, case=case)[0]
    two = lanes(rows=bench.records * 2, repeat=bench.runs, parallelism=2, case=case)[0]
    bench.report.add("engine lane: CPU of a row at parallelism 2 against 1", f"{two.whole_cpu_s / one.whole_cpu_s:.2f}x")
    what = "engine lane: parallelism 2 on two cores against 1 on one, wall"
    if load > QUIET_LOAD:
        bench.report.skip(what, f"no two free cores (load {load:.1f})")
    else:
        bench.report.at_least(what, one.whole_wall_s / two.whole_wall_s, 1.7)


def snapshot_stall(bench: Bench) -> None:
    freeze, during, otherwise = (
        float(part) for part in measure([str(PROGRAMS / "snapshot_stall"), str(bench.folder)]).output.strip().split("\t")
    )
    bench.report.at_most("snapshot of 1 M keys with timers: freeze", freeze, 10, "{:.2f} ms")
    stall = max(during - otherwise, 0.0)
    bench.report.at_most("snapshot of 1 M keys: longest batch, above the usual", stall, 10, "{:.2f} ms")


def growth(bench: Bench) -> None:
    """The whole cost, reading included: a small net difference of short runs is noise."""
    for case in ("tumble, dense", "group by, mini-batch"):
        few, many = (lanes(rows=rows, repeat=repeat, case=case)[0] for rows, repeat in ((1_000_000, 10), (50_000_000, 1)))
        ratio = (50e6 / many.whole_cpu_s) / (1e6 / few.whole_cpu_s)
        bench.report.at_least(f"{case}: rate at 50 M rows against 1 M", ratio, 0.8)
        small, large = (lanes(rows=20_000_000, repeat=bench.runs, keys=keys, case=case)[0] for keys in (1_000, 1_000_000))
        bench.report.at_most(f"{case}: cost with 1 M keys against 1 K", large.whole_cpu_s / small.whole_cpu_s, 3, "{:.2f}x")
