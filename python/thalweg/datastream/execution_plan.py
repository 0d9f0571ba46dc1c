"""A program's steps as Flink's JSON plan."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalweg.datastream.graph import Edge, Step

__all__ = ["plan_json"]


def plan_json(ends: Sequence[Step]) -> str:
    """The nodes of all steps that lead to `ends`, those before a step in front of it, with how records travel."""
    numbers: dict[int, int] = {}
    nodes: list[dict[str, Any]] = []

    def add(step: Step) -> int:
        known = numbers.get(id(step))
        if known is not None:
            return known
        before = [(add(edge.step), edge) for edges in step.inputs for edge in edges]
        numbers[id(step)] = identifier = len(numbers) + 1
        name = f"Source: {step.name}" if step.pact == "Data Source" else f"Sink: {step.name}" if step.pact == "Data Sink" else step.name
        node: dict[str, Any] = {
            "id": identifier,
            "type": name,
            "pact": step.pact,
            "contents": step.description or name,
            "parallelism": step.parallelism,
        }
        if before:
            # Flink says "second" of every input: it counts an input before it asks which one it is.
            node["predecessors"] = [{"id": source, "ship_strategy": _strategy(edge, step), "side": "second"} for source, edge in before]
        nodes.append(node)
        return identifier

    for end in ends:
        add(end)
    return json.dumps({"nodes": nodes}, indent=2)


def _strategy(edge: Edge, step: Step) -> str:
    if edge.distribution == "auto":
        return "FORWARD" if edge.step.parallelism == step.parallelism else "REBALANCE"
    return edge.distribution.upper()
