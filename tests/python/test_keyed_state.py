"""State of functions: handles over the dict of a key, and values that expire."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from pyflink.common import Time, Types
from pyflink.datastream.functions import AggregateFunction, ReduceFunction
from pyflink.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from thalweg.datastream.runtime.keyed_state import StateStore, merge_state
from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext

ANY = Types.PICKLED_BYTE_ARRAY()


class Average(AggregateFunction):
    def create_accumulator(self) -> Any:
        return (0, 0)

    def add(self, value: Any, accumulator: Any) -> Any:
        return (accumulator[0] + value, accumulator[1] + 1)

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        return (acc_a[0] + acc_b[0], acc_a[1] + acc_b[1])


class Longest(ReduceFunction):
    def reduce(self, value1: Any, value2: Any) -> Any:
        return max(value1, value2, key=len)


class Clock:
    """A store with a clock in hand."""

    def __init__(self) -> None:
        self.now = 0
        self.expiries: list[int] = []
        self.store = StateStore(lambda: self.now, self.expiries.append)
        self.store.current = {}


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_values(clock: Clock) -> None:
    state = clock.store.get_state(ValueStateDescriptor("v", Types.INT()))
    assert state.value() is None
    state.update(0)
    assert (state.value(), clock.store.current) == (0, {"v": 0})
    clock.store.current = {}
    assert state.value() is None
    state.update(2)
    state.update(None)
    assert clock.store.current == {}
    state.update(3)
    state.clear()
    assert clock.store.current == {}


def test_lists(clock: Clock) -> None:
    state = clock.store.get_list_state(ListStateDescriptor("l", Types.INT()))
    assert list(state.get()) == []
    state.add(1)
    state.add_all([2, 3])
    for value in state:
        state.add(value)  # what is read does not grow while it is read
    assert list(state) == [1, 2, 3, 1, 2, 3]
    state.update([7])
    assert clock.store.current == {"l": [7]}
    state.update([])
    state.add_all([])
    assert clock.store.current == {}
    state.add(1)
    state.clear()
    assert clock.store.current == {}


def test_maps(clock: Clock) -> None:
    state = clock.store.get_map_state(MapStateDescriptor("m", Types.STRING(), Types.INT()))
    assert state.is_empty()
    assert state.get("a") is None
    state.put("a", 1)
    state["b"] = 2
    state.put_all({"c": None, "d": 4})
    assert (state["b"], state.get("c"), state.contains("c"), "z" in state) == (2, None, True, False)
    assert (list(state), list(state.keys()), list(state.values())) == (list("abcd"), list("abcd"), [1, 2, None, 4])
    for key, _ in state.items():
        state.remove(key)
    assert clock.store.current == {}
    state.put("a", 1)
    del state["a"]
    state.remove("a")
    assert state.is_empty()
    state.put("a", 1)
    state.clear()
    assert clock.store.current == {}


def test_reducing_and_aggregating(clock: Clock) -> None:
    longest = clock.store.get_reducing_state(ReducingStateDescriptor("r", Longest(), Types.STRING()))
    total = clock.store.get_reducing_state(ReducingStateDescriptor("s", lambda a, b: a + b, Types.INT()))
    average = clock.store.get_aggregating_state(AggregatingStateDescriptor("a", Average(), ANY))
    assert (longest.get(), total.get(), average.get()) == (None, None, None)
    for word in ("a", "ccc", "bb"):
        longest.add(word)
        total.add(len(word))
        average.add(len(word))
    assert (longest.get(), total.get(), average.get()) == ("ccc", 6, 2.0)
    for state in (longest, total, average):
        state.clear()
    assert clock.store.current == {}
    with pytest.raises(TypeError, match="ReduceFunction or a callable"):
        ReducingStateDescriptor("r", 5, Types.INT())
    with pytest.raises(TypeError, match="AggregateFunction"):
        AggregatingStateDescriptor("a", len, Types.INT())


def test_descriptors_know_their_functions() -> None:
    descriptor = AggregatingStateDescriptor("a", Average(), ANY)
    assert isinstance(descriptor.get_agg_function(), Average)
    assert ReducingStateDescriptor("r", Longest, ANY).get_reduce_function().reduce("a", "bb") == "bb"
    assert ValueStateDescriptor("v", Types.INT()).get_name() == "v"


def test_merging() -> None:
    into, other = {"l": [1], "r": "a", "a": (1, 1)}, {"l": [2], "r": "bb", "a": (5, 1)}
    for descriptor in (
        ListStateDescriptor("l", ANY),
        ReducingStateDescriptor("r", Longest(), ANY),
        AggregatingStateDescriptor("a", Average(), ANY),
    ):
        merge_state(descriptor, into, [other, {}])
    assert (into, other) == ({"l": [1, 2], "r": "bb", "a": (6, 2)}, {})
    with pytest.raises(Exception, match="mergeable state: v"):
        merge_state(ValueStateDescriptor("v", ANY), {"v": 1}, [{"v": 2}])


def ttl(descriptor: Any, **settings: bool) -> Any:
    builder = StateTtlConfig.new_builder(Time.milliseconds(100))
    if settings.get("renew_on_read"):
        builder = builder.update_ttl_on_read_and_write()
    if settings.get("show_expired"):
        builder = builder.return_expired_if_not_cleaned_up()
    descriptor.enable_time_to_live(builder.build())
    return descriptor


def test_values_expire_after_the_last_write(clock: Clock) -> None:
    state = clock.store.get_state(ttl(ValueStateDescriptor("v", ANY)))
    state.update("x")
    assert clock.expiries == [100]
    clock.now = 99
    assert state.value() == "x"
    clock.now = 100
    assert state.value() is None
    assert clock.store.current == {}
    state.update("y")
    state.update(None)
    assert clock.store.current == {}


def test_reading_renews_where_it_is_asked_for(clock: Clock) -> None:
    state = clock.store.get_state(ttl(ValueStateDescriptor("v", ANY), renew_on_read=True))
    state.update("x")
    for clock.now in (90, 180, 270):
        assert state.value() == "x"
    clock.now = 370
    assert state.value() is None


def test_expired_values_may_be_seen_once(clock: Clock) -> None:
    state = clock.store.get_state(ttl(ValueStateDescriptor("v", ANY), show_expired=True))
    state.update("x")
    clock.now = 500
    assert (state.value(), state.value()) == ("x", None)


def test_expired_values_are_never_added_to(clock: Clock) -> None:
    total = clock.store.get_reducing_state(ttl(ReducingStateDescriptor("r", lambda a, b: a + b, ANY)))
    average = clock.store.get_aggregating_state(ttl(AggregatingStateDescriptor("a", Average(), ANY)))
    total.add(1)
    average.add(10)
    clock.now = 150
    total.add(2)
    average.add(20)
    assert (total.get(), average.get()) == (2, 20.0)
    total.add(3)
    assert total.get() == 5


def test_elements_expire_one_by_one(clock: Clock) -> None:
    items = clock.store.get_list_state(ttl(ListStateDescriptor("l", ANY)))
    table = clock.store.get_map_state(ttl(MapStateDescriptor("m", ANY, ANY)))
    items.add("a")
    table.put("a", 1)
    clock.now = 60
    items.add_all(["b"])
    table.put_all({"b": 2})
    clock.now = 120
    assert list(items.get()) == ["b"]
    assert (list(table.items()), table.get("a"), table.contains("a"), table.is_empty()) == ([("b", 2)], None, False, False)
    clock.now = 200
    clock.store.drop_expired()
    assert clock.store.current == {}
    assert (list(items), list(table.keys()), list(table.values()), table.is_empty()) == ([], [], [], True)
    items.update(["c"])
    assert list(items) == ["c"]


def test_values_from_before_ttl_start_to_age(clock: Clock) -> None:
    clock.store.current = {"v": "old", "m": {"k": 1}, "l": [1]}
    assert clock.store.get_state(ttl(ValueStateDescriptor("v", ANY))).value() == "old"
    assert list(clock.store.get_map_state(ttl(MapStateDescriptor("m", ANY, ANY))).items()) == [("k", 1)]
    assert list(clock.store.get_list_state(ttl(ListStateDescriptor("l", ANY)))) == [1]


def test_configurations_of_ttl() -> None:
    builder = StateTtlConfig.new_builder(Time.days(1)).cleanup_full_snapshot().cleanup_incrementally(7, True)
    config = builder.cleanup_in_rocksdb_compact_filter(17).never_return_expired().use_processing_time().build()
    config = pickle.loads(pickle.dumps(config))
    strategies = config.get_cleanup_strategies()
    assert config.get_ttl() == Time.days(1)
    assert config.get_update_type() is StateTtlConfig.UpdateType.OnCreateAndWrite
    assert config.get_state_visibility() is StateTtlConfig.StateVisibility.NeverReturnExpired
    assert config.get_ttl_time_characteristic() is StateTtlConfig.TtlTimeCharacteristic.ProcessingTime
    assert config.is_enabled()
    assert strategies.in_full_snapshot()
    incremental = strategies.get_incremental_cleanup_strategy()
    assert (incremental.get_cleanup_size(), incremental.run_cleanup_for_every_record()) == (7, True)
    assert strategies.get_rocksdb_compact_filter_cleanup_strategy().get_query_time_after_num_entries() == 17
    off = StateTtlConfig.new_builder(Time.days(1)).disable_cleanup_in_background().build().get_cleanup_strategies()
    assert (off.get_incremental_cleanup_strategy(), off.is_cleanup_in_background()) == (None, False)
    disabled = StateTtlConfig.new_builder(Time.days(1)).set_update_type(StateTtlConfig.UpdateType.Disabled).build()
    assert not disabled.is_enabled()


class Engine:
    parallelism, subtask, max_parallelism, attempt, task_name = 4, 1, 128, 2, "Map"
    job_parameters = {"a": "b"}


def test_runtime_contexts_say_where_a_function_runs(clock: Clock) -> None:
    context = OperatorRuntimeContext(Engine(), clock.store)
    assert (context.get_task_name(), context.get_task_name_with_subtasks()) == ("Map", "Map (2/4)")
    assert (context.get_number_of_parallel_subtasks(), context.get_max_number_of_parallel_subtasks()) == (4, 128)
    assert (context.get_index_of_this_subtask(), context.get_attempt_number()) == (1, 2)
    assert (context.get_job_parameter("a", "x"), context.get_job_parameter("z", "x")) == ("b", "x")
    context.get_metrics_group().counter("c").inc()
    context.get_state(ValueStateDescriptor("v", ANY)).update(1)
    context.get_list_state(ListStateDescriptor("l", ANY)).add(1)
    context.get_map_state(MapStateDescriptor("m", ANY, ANY)).put(1, 1)
    context.get_reducing_state(ReducingStateDescriptor("r", Longest(), ANY)).add("a")
    context.get_aggregating_state(AggregatingStateDescriptor("a", Average(), ANY)).add(1)
    assert sorted(clock.store.current) == ["a", "l", "m", "r", "v"]
    with pytest.raises(RuntimeError, match="State 'v' needs a keyed stream"):
        OperatorRuntimeContext(Engine()).get_state(ValueStateDescriptor("v", ANY))


LONGS = Types.LONG()


def _put(clock: Clock, kind: str, ttl: bool, value: Any) -> Any:
    """Stores `value` in a state of longs (keys of a map are texts) and gives what is there then."""
    summed = AggregatingStateDescriptor("s", Average(), Types.TUPLE([LONGS, LONGS]))
    descriptors: dict[str, Any] = {
        "value": ValueStateDescriptor("s", LONGS),
        "list": ListStateDescriptor("s", LONGS),
        "list of many": ListStateDescriptor("s", LONGS),
        "map": MapStateDescriptor("s", Types.STRING(), LONGS),
        "map of many": MapStateDescriptor("s", Types.STRING(), LONGS),
        "reducing": ReducingStateDescriptor("s", max, LONGS),
        "aggregating": summed,
    }
    descriptor = descriptors[kind]
    if ttl:
        descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.seconds(1)).build())
    state = clock.store.get_any(descriptor)
    if kind == "value":
        state.update(value)
        return state.value()
    if kind.startswith("map"):
        state.put("k", value) if kind == "map" else state.put_all({"k": value})
        return state["k"]
    state.update([value]) if kind == "list of many" else state.add(value)
    return list(state) if kind.startswith("list") else state.get()


@pytest.mark.parametrize("ttl", [False, True])
@pytest.mark.parametrize("kind", ["value", "list", "list of many", "map", "map of many", "reducing", "aggregating"])
def test_values_are_of_the_states_type(clock: Clock, kind: str, ttl: bool) -> None:
    with pytest.raises((TypeError, OverflowError), match="the state 's': "):
        _put(clock, kind, ttl, 2.5)
    assert clock.store.current == {}
    with pytest.raises(OverflowError, match="the state 's': 9223372036854775808 is out of the range of Long"):
        _put(clock, kind, ttl, 2**63)
    assert clock.store.current == {}
    assert _put(clock, kind, ttl, True) in (1, [1])


def test_keys_of_maps_are_of_their_type(clock: Clock) -> None:
    state = clock.store.get_map_state(MapStateDescriptor("m", Types.STRING(), LONGS))
    with pytest.raises(TypeError, match="the state 'm': a value of the declared type String was expected, not 1 of int"):
        state.put(1, 1)
    assert state.is_empty()


def test_state_keeps_what_its_type_makes_of_a_value(clock: Clock) -> None:
    pair = clock.store.get_state(ValueStateDescriptor("pair", Types.TUPLE([Types.STRING(), Types.FLOAT()])))
    given = ["a", 0.1]
    pair.update(given)
    given[0] = "b"
    # As in Flink, whose cache of state does not narrow a FLOAT.
    assert pair.value() == ("a", 0.1)
