"""The steps of a DataStream program, as they are before it runs: what `execute` hands to the engine.

A step keeps what the user may still change (name, uid, parallelism); it is translated when the program is executed. Streams are views of
steps: an Edge says whose records, and how they travel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalweg.util.exceptions import illegal_argument

if TYPE_CHECKING:
    from thalweg._native import Relation, Session
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.datastream.data_stream import DataStream
    from thalweg.datastream.output_tag import OutputTag
    from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment

__all__ = ["Edge", "RelationStep", "SourceStep", "Step", "Translation"]

HostFactory = Callable[[], Any]


class Edge:
    """The records of a step, or of one of its side outputs, on their way to the next one."""

    __slots__ = ("distribution", "partitioner", "step", "tag")

    def __init__(
        self, step: Step, distribution: str = "auto", tag: OutputTag | None = None, partitioner: tuple[Any, Any] | None = None
    ) -> None:
        self.step = step
        self.distribution = distribution
        self.tag = tag
        self.partitioner = partitioner


class Step:
    """An operator. `make_host(step)` gives the factory of its hosts; `inputs` are the edges into each of its inputs."""

    pact = "Operator"
    max_parallelism: int | None = None

    def __init__(
        self,
        env: StreamExecutionEnvironment,
        name: str,
        inputs: Sequence[Sequence[Edge]],
        make_host: Callable[[Step], HostFactory],
        output_type: TypeInformation | None,
        output: str | tuple[Any, ...] = "stream",
    ) -> None:
        self.env = env
        self.name = name
        self.uid = ""
        self.description: str | None = None
        self.may_chain = True
        self.inputs = inputs
        self.make_host = make_host
        self.output_type = output_type
        self.output = output
        self.is_parallelism_fixed = False
        self.emitted = "insert"
        self.takes_changes = False
        self.primary_key: Sequence[int] = ()
        self.side_outputs: dict[str, tuple[int, TypeInformation | None]] = {}
        # Key selectors run where the records come from.
        self.follows: Step | None = None
        # What tables have of it already.
        self.translated: Relation | None = None
        self._parallelism: int | None = env._step_parallelism()

    @property
    def parallelism(self) -> int:
        """How many subtasks it has."""
        if self.follows is not None:
            return self.follows.parallelism
        return self._parallelism or self.env.get_parallelism()

    def set_parallelism(self, parallelism: int) -> None:
        """Sets the number of subtasks."""
        if parallelism < 1:
            raise illegal_argument(f"The parallelism of an operator must be at least 1: '{self.name}' is set to {parallelism}.")
        if self.is_parallelism_fixed and parallelism != 1:
            raise illegal_argument(f"The parallelism of non parallel operator '{self.name}' must be 1.")
        self._parallelism = parallelism

    def tag_number(self, tag: OutputTag) -> int:
        """The number under which the engine knows a side output; the main one is 0."""
        known = self.side_outputs.get(tag.tag_id)
        if known is None:
            known = (len(self.side_outputs) + 1, tag.type_info)
            self.side_outputs[tag.tag_id] = known
        return known[0]

    def translate(self, translation: Translation) -> Relation:
        """This step as the engine takes it."""
        from thalweg import _native

        inputs = []
        for number, edges in enumerate(self.inputs):
            for edge in edges:
                inputs.append((*translation.edge(edge, self, len(edges) > 1), number))
        output = "tag" if self.side_outputs else self.output
        return _native.stream_operator(
            translation.session,
            translation.traits(self),
            self.make_host(self),
            inputs,
            output,
            self.emitted,
            self.takes_changes,
            self.primary_key,
        )


class SourceStep(Step):
    """A source; `make_relation(session, traits)` gives it."""

    pact = "Data Source"

    def __init__(
        self,
        env: StreamExecutionEnvironment,
        name: str,
        make_relation: Callable[[Session, tuple[Any, ...]], Relation],
        output_type: TypeInformation | None,
    ) -> None:
        super().__init__(env, name, [], lambda step: lambda: None, output_type)
        self._make_relation = make_relation

    def translate(self, translation: Translation) -> Relation:
        return self._make_relation(translation.session, translation.traits(self))


class RelationStep(Step):
    """A table, or what else the engine knows already."""

    pact = "Data Source"

    def __init__(self, env: StreamExecutionEnvironment, name: str, relation: Relation) -> None:
        super().__init__(env, name, [], lambda step: lambda: None, None)
        self._relation = relation

    def translate(self, translation: Translation) -> Relation:
        return self._relation


class ConnectorSinkStep(Step):
    """A connector's sink; `make_relation(session, traits, input)` gives it."""

    pact = "Data Sink"

    def __init__(
        self,
        env: StreamExecutionEnvironment,
        name: str,
        edge: Edge,
        make_relation: Callable[[Session, tuple[Any, ...], Relation], Relation],
    ) -> None:
        super().__init__(env, name, [[edge]], lambda step: lambda: None, None)
        self._make_relation = make_relation

    def translate(self, translation: Translation) -> Relation:
        relation = translation.edge(self.inputs[0][0], self, False)[0]
        return self._make_relation(translation.session, translation.traits(self), relation)


class Translation:
    """One program on its way to the engine: each step is translated once."""

    def __init__(self, session: Session, chains: bool) -> None:
        self.session = session
        self._chains = chains
        self._relations: dict[int, Relation] = {}
        self._steps: list[Step] = []

    def traits(self, step: Step) -> tuple[str, str, int, bool]:
        """(name, uid, parallelism, may chain)"""
        return step.name, step.uid, step.parallelism, step.may_chain and self._chains

    def relation(self, step: Step) -> Relation:
        """The engine's form of a step."""
        found = self._relations.get(id(step))
        if found is None:
            found = step.translated or step.translate(self)
            self._relations[id(step)] = found
            self._steps.append(step)
        return found

    def keep(self) -> None:
        """Other translations use what this one made."""
        for step in self._steps:
            step.translated = self._relations[id(step)]

    def has(self, step: Step) -> bool:
        """Whether the step is part of what was translated."""
        return id(step) in self._relations

    def collected(self, stream: DataStream) -> Relation:
        """The records of a stream alone."""
        edges = stream._edges()
        if len(edges) == 1 and edges[0].distribution == "auto" and not edges[0].step.side_outputs:
            return self.relation(edges[0].step)
        from thalweg.datastream.runtime.stateless import PassHost

        return self.relation(Step(stream._env, "Collect", [edges], lambda step: PassHost, None))

    def edge(self, edge: Edge, consumer: Step, is_union: bool) -> tuple[Relation, str, int]:
        """(relation, distribution, tag or -1) of an edge into `consumer`."""
        step = edge.step
        tag = -1
        if step.side_outputs:
            tag = 0 if edge.tag is None else step.tag_number(edge.tag)
        relation = self.relation(step)
        if edge.partitioner is not None:
            return self._partitioned(edge, consumer, relation, tag), "custom", -1
        if tag >= 0 and is_union:
            # The parts of a union look alike.
            from thalweg.datastream.runtime.stateless import PassHost

            return self._inserted(step, "Side Output", PassHost, "stream", relation, tag), edge.distribution, -1
        return relation, edge.distribution, tag

    def _partitioned(self, edge: Edge, consumer: Step, relation: Relation, tag: int) -> Relation:
        from functools import partial

        from thalweg.datastream.runtime.stateless import PartitionHost

        assert edge.partitioner is not None
        factory = partial(PartitionHost, *edge.partitioner, consumer.parallelism)
        return self._inserted(edge.step, "Partition Custom", factory, "partition", relation, tag)

    def _inserted(self, step: Step, name: str, factory: HostFactory, output: str, relation: Relation, tag: int) -> Relation:
        from thalweg import _native

        traits = (name, "", step.parallelism, self._chains)
        return _native.stream_operator(self.session, traits, factory, [(relation, "auto", tag, 0)], output)
