"""The engine by itself: rows in memory, no formats."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from bench import PROGRAMS, Bench
from measure import measure

#: Goals of the engine lane's cases, rows per CPU-second.
GOALS = {"tumble, dense": 20e6, "group by, mini-batch": 20e6, "group by, row by row": 5e6}
#: A machine with more to do than this has no second core to give.
QUIET_LOAD = 0.5
#: The size of the lane's windows.
WINDOW_US = 30_000_000
FEW_KEYS, MANY_KEYS = 1_000, 1_000_000


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
    # With ten rows of each key in a window, and with a result for each row, more keys mean more state and nothing else.
    ten_rows = {keys: WINDOW_US // (keys * 10) for keys in (FEW_KEYS, MANY_KEYS)}
    ratio = cost_of_many_keys(bench, "tumble, dense", ten_rows)
    bench.report.at_most("tumble, ten rows of a key in a window: cost with 1 M keys against 1 K", ratio, 3, "{:.2f}x")
    ratio = cost_of_many_keys(bench, "group by, row by row")
    bench.report.at_most("group by, row by row: cost with 1 M keys against 1 K", ratio, 3, "{:.2f}x")
    # Here each key comes once a window or a bundle, where 1 K keys come hundreds of times: there are as many more results.
    for case in ("tumble, dense", "group by, mini-batch"):
        bench.report.add(f"{case}: cost with 1 M keys, a result for each row, against 1 K", f"{cost_of_many_keys(bench, case):.2f}x")


def cost_of_many_keys(bench: Bench, case: str, step_us: Mapping[int, int] | None = None) -> float:
    """What 1 M keys cost against 1 K; `step_us` by the number of keys."""
    costs = []
    for keys in (FEW_KEYS, MANY_KEYS):
        step = {} if step_us is None else {"step-us": step_us[keys]}
        costs.append(lanes(rows=20_000_000, repeat=bench.runs, keys=keys, case=case, **step)[0].whole_cpu_s)
    return costs[1] / costs[0]
