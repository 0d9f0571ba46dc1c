"""The window operator: which windows a record belongs to, when they fire, what is sent, and when they are forgotten.

The rules are those of Flink's WindowOperator and EvictingWindowOperator. A key's dict holds

    window-contents     {window: what it keeps of its records}
    window-state        {window: {name: value}}    state of triggers and of process functions, where there is any
    merging-window-set  {window: window}           where a merged window has its contents (sessions)

with windows as the bytes that their serializer writes, which are also the namespaces of their timers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from typing import Any

from thalweg.datastream.output_tag import OutputTag
from thalweg.datastream.runtime.host import iterated
from thalweg.datastream.runtime.keyed_state import StateStore
from thalweg.datastream.runtime.merging_windows import add_window
from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext
from thalweg.datastream.runtime.window_contents import NOTHING, Contents, EvictingContents, contents_of
from thalweg.datastream.runtime.window_contexts import (
    AssignerContext,
    EvictionContext,
    FunctionContext,
    MergingWindowState,
    TriggerContext,
)
from thalweg.datastream.runtime.window_loops import CONTENTS, MERGING, AlignedLoop, SessionLoop
from thalweg.datastream.window_assigners import (
    CountSlidingWindowAssigner,
    CountTumblingWindowAssigner,
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from thalweg.datastream.window_base import (
    MAX_LONG_VALUE,
    MIN_LONG_VALUE,
    MergingWindowAssigner,
    TimeWindowSerializer,
    TriggerResult,
    WindowOperationDescriptor,
)
from thalweg.datastream.window_functions import PassThroughAllWindowFunction, PassThroughWindowFunction
from thalweg.datastream.window_triggers import CountTrigger, EventTimeTrigger

__all__ = ["EXPIRY", "WindowOperator"]

STATE = "window-state"
EXPIRY = b"\xffexpiry"
"""The namespace of timers that drop expired state."""

_FLUSH_AT = 4096


class WindowOperator:
    """One subtask's window operator; the engine calls it a batch at a time on the subtask's thread.

    `tags` maps the id of each side output that somebody reads to its number.
    """

    def __init__(self, descriptor: WindowOperationDescriptor, tags: Mapping[str, int] | None = None) -> None:
        self._assigner: Any = descriptor.assigner
        self._trigger = descriptor.trigger
        self._lateness = descriptor.allowed_lateness
        self._late_tag = descriptor.late_data_output_tag
        self._function = descriptor.internal_window_function
        self._serializer = descriptor.window_serializer
        self._state_descriptor = descriptor.window_state_descriptor
        self._evictor = descriptor.evictor
        self._tags = dict(tags or {})
        self._is_event_time = self._assigner.is_event_time()
        self._merges = isinstance(self._assigner, MergingWindowAssigner)
        self._purges_full = _fires_when_full(self._assigner, self._trigger)

    def open(self, context: Any) -> None:
        """Opens the function; `context` is the engine's."""
        self._context = context
        self._store = StateStore(context.now, self._note_expiry)
        self._window_store = StateStore(context.now, self._note_expiry)
        runtime_context = OperatorRuntimeContext(context, self._store)
        self._assigner_context = AssignerContext(context, runtime_context)
        self._trigger_context = TriggerContext(context, runtime_context, self._window_store)
        window_state = MergingWindowState() if self._merges else self._window_store
        self._function_context = FunctionContext(context, window_state, self._store)
        self._contents: Contents = contents_of(self._state_descriptor)
        self._evicting: EvictingContents | None = None
        if self._evictor is not None:
            self._evicting = EvictingContents(self._contents, self._evictor, EvictionContext(context, runtime_context))
            self._contents = self._evicting
        self._late_dropped = runtime_context.get_metrics_group().counter("numLateRecordsDropped")
        self._records: list[Any] = []
        self._timestamps: list[int] = []
        self._side: dict[int, tuple[list[Any], list[int | None]]] = {}
        wrapped = getattr(self._function, "_wrapped_function", None)
        passes = type(wrapped) in (PassThroughWindowFunction, PassThroughAllWindowFunction)
        self._passes_value = passes and self._function.single_value
        self._process_batch = self._choose_loop()
        self._function.open(runtime_context)

    def close(self) -> None:
        """Closes the function."""
        self._function.close()

    # --- records
    def process(
        self,
        input_number: int,
        records: list[Any],
        timestamps: list[int | None],
        keys: list[Any] | None,
        states: list[dict[str, Any]] | None,
    ) -> None:
        """Takes a batch; what was sent before an exception leaves first."""
        assert states is not None, "windows need state"
        try:
            self._process_batch(records, timestamps, keys or [0] * len(records), states)
        finally:
            self._flush()

    def _choose_loop(self) -> Callable[..., None]:
        if type(self._trigger) is EventTimeTrigger and self._evictor is None:
            if type(self._assigner) in (TumblingEventTimeWindows, SlidingEventTimeWindows):
                return AlignedLoop(self).run
            if type(self._assigner) is EventTimeSessionWindows and type(self._serializer) is TimeWindowSerializer:
                return SessionLoop(self).run
        return self._run

    def _run(self, records: list[Any], timestamps: list[int | None], keys: list[Any], states: list[dict[str, Any]]) -> None:
        """Any assigner with any trigger."""
        context, assign, assigner_context = self._context, self._assigner.assign_windows, self._assigner_context
        add = self._add_merging if self._merges else self._add
        for row, value in enumerate(records):
            context.row = row
            state, timestamp = states[row], timestamps[row]
            self._store.current = state
            time = MIN_LONG_VALUE if timestamp is None else timestamp
            taken = False
            for window in assign(value, time, assigner_context):
                taken = add(window, value, timestamp, keys[row], state) or taken
            if not taken:
                self._late(value, timestamp)

    def _add(self, window: Any, value: Any, timestamp: int | None, key: Any, state: dict[str, Any]) -> bool:
        """Adds a record to a window; False where the window is over."""
        if self._is_over(window):
            return False
        pane = self._write(window)
        self._enter(state, pane)
        self._contents.add(_panes(state), pane, value, timestamp)
        self._touch(window, pane, pane, value, timestamp, key, state)
        return True

    def _add_merging(self, window: Any, value: Any, timestamp: int | None, key: Any, state: dict[str, Any]) -> bool:
        """Adds a record to a window that may merge with others; False where the result is over."""
        written: dict[bytes, bytes] = state.get(MERGING, {})
        mapping = {self._read(pane): self._read(kept) for pane, kept in written.items()}

        def on_merge(merged: Any, parts: list[Any], kept: Any, others: list[Any]) -> None:
            self._merge(merged, parts, kept, others, state)

        actual = add_window(self._assigner, mapping, window, on_merge)
        over = self._is_over(actual)
        if over:
            mapping.pop(actual, None)
        else:
            pane, kept = self._write(actual), self._write(mapping[actual])
            self._enter(state, pane)
            self._contents.add(_panes(state), kept, value, timestamp)
            self._touch(actual, pane, kept, value, timestamp, key, state)
        state[MERGING] = {self._write(one): self._write(other) for one, other in mapping.items()}
        _prune(state, MERGING)
        return not over

    def _touch(self, window: Any, pane: bytes, kept: bytes, value: Any, timestamp: int | None, key: Any, state: dict[str, Any]) -> None:
        """A record went in: asks the trigger, does what it says, and sees to it that the window ends."""
        time = MIN_LONG_VALUE if timestamp is None else timestamp
        result = self._trigger.on_element(value, time, window, self._trigger_context)
        self._obey(result, "on_element", window, kept, key, state)
        self._leave(state, pane)
        cleanup = self._cleanup_time(window)
        if cleanup != MAX_LONG_VALUE:
            self._context.register_timer("event" if self._is_event_time else "processing", cleanup, pane)

    def _late(self, value: Any, timestamp: int | None) -> None:
        """No window took the record: the late output gets it, or it is counted."""
        if not (self._is_event_time and timestamp is not None and timestamp + self._lateness <= self._context.current_watermark):
            return
        if self._late_tag is None:
            self._late_dropped.inc()
        else:
            self._send_aside(self._late_tag, value, timestamp)

    # --- merging
    def _merge(self, merged: Any, parts: list[Any], kept: Any, others: list[Any], state: dict[str, Any]) -> None:
        """Windows became one: so do their triggers' state, timers and contents."""
        self._check_merge(merged)
        panes = [self._write(part) for part in parts]
        all_state = state.get(STATE, {})
        target = self._write(merged)
        self._enter(state, target)
        self._trigger_context.merged = [all_state[pane] for pane in panes if pane in all_state and pane != target]
        self._trigger.on_merge(merged, self._trigger_context)
        self._trigger_context.merged = []
        self._leave(state, target)
        for part, pane in zip(parts, panes):
            self._enter(state, pane)
            self._trigger.clear(part, self._trigger_context)
            self._leave(state, pane)
            self._delete_cleanup(part, pane)
        contents = _panes(state)
        into = self._write(kept)
        for other in map(self._write, others):
            if other in contents:
                added = contents.pop(other)
                contents[into] = self._contents.merge(contents[into], added) if into in contents else added
        _prune(state, CONTENTS)

    def _check_merge(self, merged: Any) -> None:
        context = self._context
        if self._is_event_time and merged.max_timestamp() + self._lateness <= context.current_watermark:
            raise Exception(
                "The end timestamp of an event-time window cannot become earlier than the current watermark by merging. "
                f"Current event time: {context.current_watermark} window: {merged}"
            )
        if not self._is_event_time and merged.max_timestamp() <= context.now():
            raise Exception(
                "The end timestamp of a processing-time window cannot become earlier than the current processing time by merging. "
                f"Current processing time: {context.now()} window: {merged}"
            )

    # --- time
    def on_watermark(self, watermark: int) -> None:
        """Nothing to do: what waits for the watermark has timers."""

    def on_end(self, input_number: int) -> None:
        """Nothing to do: event-time windows fire by the last watermark, others do not fire, as in Flink."""

    def on_timers(self, domain: str, time: int, keys: list[Any], states: list[dict[str, Any]], namespaces: list[bytes]) -> None:
        """Timers of one time have come; what was sent before an exception leaves first."""
        try:
            for row, namespace in enumerate(namespaces):
                self._context.row = row
                self._store.current = states[row]
                if namespace == EXPIRY:
                    self._drop_expired(states[row])
                else:
                    self._on_timer(domain, time, keys[row], states[row], namespace)
        finally:
            self._flush()

    def _on_timer(self, domain: str, time: int, key: Any, state: dict[str, Any], pane: bytes) -> None:
        kept = state.get(MERGING, {}).get(pane) if self._merges else pane
        if kept is None:
            return  # the window became part of another one
        window = self._read(pane)
        self._enter(state, pane)
        if domain == "event":
            result, name = self._trigger.on_event_time(time, window, self._trigger_context), "on_event_time"
        else:
            result, name = self._trigger.on_processing_time(time, window, self._trigger_context), "on_processing_time"
        self._obey(result, name, window, kept, key, state)
        if (domain == "event") == self._is_event_time and time == self._cleanup_time(window):
            self._forget(window, pane, kept, state)
        self._leave(state, pane)

    def _forget(self, window: Any, pane: bytes, kept: bytes, state: dict[str, Any]) -> None:
        """The window is over."""
        _panes(state).pop(kept, None)
        self._trigger.clear(window, self._trigger_context)
        self._function.clear(window, self._function_context)
        _prune(state, CONTENTS)
        if self._merges:
            state[MERGING].pop(pane, None)
            _prune(state, MERGING)

    def _cleanup_time(self, window: Any) -> int:
        """When the window is forgotten; MAX_LONG_VALUE for never."""
        last: int = window.max_timestamp()
        return min(last + self._lateness, MAX_LONG_VALUE) if self._is_event_time else last

    def _is_over(self, window: Any) -> bool:
        return self._is_event_time and self._cleanup_time(window) <= self._context.current_watermark

    def _delete_cleanup(self, window: Any, pane: bytes) -> None:
        cleanup = self._cleanup_time(window)
        if cleanup != MAX_LONG_VALUE:
            self._context.delete_timer("event" if self._is_event_time else "processing", cleanup, pane)

    def _note_expiry(self, time: int) -> None:
        self._context.register_timer("processing", -(-time // 1000) * 1000, EXPIRY)

    def _drop_expired(self, state: dict[str, Any]) -> None:
        self._store.drop_expired()
        for pane in list(state.get(STATE, {})):
            self._enter(state, pane)
            self._window_store.drop_expired()
            self._leave(state, pane)

    # --- results
    def _obey(self, result: Any, method: str, window: Any, kept: bytes, key: Any, state: dict[str, Any]) -> None:
        """Does what a trigger said."""
        if result is TriggerResult.CONTINUE:
            return
        if not isinstance(result, TriggerResult):
            name = f"{type(self._trigger).__name__}.{method}"
            raise TypeError(f"{name}() returned {result!r}: a trigger returns a TriggerResult, such as TriggerResult.CONTINUE")
        panes = _panes(state)
        if result.is_fire() and kept in panes:
            self._fire(window, kept, panes, key)
        if result.is_purge() or self._purges_full:
            panes.pop(kept, None)
        _prune(state, CONTENTS)

    def _fire(self, window: Any, kept: bytes, panes: dict[bytes, Any], key: Any) -> None:
        """Calls the window function and sends what it gives."""
        if self._evicting is not None:
            panes[kept] = self._evicting.evict_before(panes[kept], window)
        value = self._contents.result(panes[kept])
        if value is not NOTHING:
            if self._passes_value:
                self._send([value], window.max_timestamp())
            else:
                self._send(self._function.process(key, window, self._function_context, value), window.max_timestamp())
        if self._evicting is not None:
            panes[kept] = self._evicting.evict_after(panes[kept], window)
            if not panes[kept]:
                del panes[kept]

    def _send(self, results: Iterable[Any] | None, timestamp: int) -> None:
        for result in () if results is None else iterated(results):
            if type(result) is tuple and len(result) == 2 and isinstance(result[0], OutputTag):
                self._send_aside(result[0], result[1], timestamp)
            else:
                self._records.append(result)
                self._timestamps.append(timestamp)
        if len(self._records) >= _FLUSH_AT:
            self._flush()

    def _send_aside(self, tag: OutputTag, value: Any, timestamp: int | None) -> None:
        number = self._tags.get(tag.tag_id)
        if number is not None:
            records, timestamps = self._side.setdefault(number, ([], []))
            records.append(value)
            timestamps.append(timestamp)

    def _flush(self) -> None:
        """Hands what was sent to the engine, which may wait until there is room."""
        records, timestamps, side = self._records, self._timestamps, self._side
        self._records, self._timestamps, self._side = [], [], {}
        if records:
            self._context.emit(records, timestamps)
        for number, (aside, times) in side.items():
            self._context.emit(aside, times, number)

    # --- windows and their state
    def _write(self, window: Any) -> bytes:
        stream = BytesIO()
        self._serializer.serialize(window, stream)
        return stream.getvalue()

    def _read(self, pane: bytes) -> Any:
        return self._serializer.deserialize(BytesIO(pane))

    def _enter(self, state: dict[str, Any], pane: bytes) -> None:
        """Points trigger and function at the state of a window."""
        self._trigger_context.pane = pane
        found = state.get(STATE)
        self._window_store.current = found[pane] if found is not None and pane in found else {}

    def _leave(self, state: dict[str, Any], pane: bytes) -> None:
        """Keeps the window's state, if there is any."""
        current = self._window_store.current
        if current:
            state.setdefault(STATE, {})[pane] = current
        elif STATE in state:
            state[STATE].pop(pane, None)
            _prune(state, STATE)


def _fires_when_full(assigner: Any, trigger: Any) -> bool:
    """A full count window gets no further records: what Flink would keep for ever is dropped when it has fired."""
    counting = isinstance(assigner, (CountTumblingWindowAssigner, CountSlidingWindowAssigner))
    return counting and type(trigger) is CountTrigger and trigger._window_size == assigner._window_size


def _panes(state: dict[str, Any]) -> dict[bytes, Any]:
    """The contents of a key's windows."""
    panes: dict[bytes, Any] | None = state.get(CONTENTS)
    if panes is None:
        panes = state[CONTENTS] = {}
    return panes


def _prune(state: dict[str, Any], name: str) -> None:
    if name in state and not state[name]:
        del state[name]
