"""Windows of the DataStream API: assigners, windows, triggers, evictors."""

from thalweg.datastream.window_assigners import (
    CountSlidingWindowAssigner,
    CountTumblingWindowAssigner,
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    GlobalWindows,
    ProcessingTimeSessionWindows,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from thalweg.datastream.window_base import (
    CountWindow,
    CountWindowSerializer,
    Evictor,
    GlobalWindow,
    GlobalWindowSerializer,
    MergingWindowAssigner,
    SessionWindowTimeGapExtractor,
    TimestampedValue,
    TimeWindow,
    TimeWindowSerializer,
    Trigger,
    TriggerResult,
    Window,
    WindowAssigner,
    WindowOperationDescriptor,
)
from thalweg.datastream.window_evictors import CountEvictor, DeltaEvictor, TimeEvictor
from thalweg.datastream.window_triggers import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
    PurgingTrigger,
)

__all__ = [
    "ContinuousEventTimeTrigger", "ContinuousProcessingTimeTrigger", "CountEvictor", "CountSlidingWindowAssigner", "CountTrigger",
    "CountTumblingWindowAssigner", "CountWindow", "CountWindowSerializer", "DeltaEvictor", "DynamicEventTimeSessionWindows",
    "DynamicProcessingTimeSessionWindows", "EventTimeSessionWindows", "EventTimeTrigger", "Evictor", "GlobalWindow",
    "GlobalWindowSerializer", "GlobalWindows", "MergingWindowAssigner", "NeverTrigger", "ProcessingTimeSessionWindows",
    "ProcessingTimeTrigger", "PurgingTrigger", "SessionWindowTimeGapExtractor", "SlidingEventTimeWindows",
    "SlidingProcessingTimeWindows", "TimeEvictor", "TimeWindow", "TimeWindowSerializer", "TimestampedValue", "Trigger",
    "TriggerResult", "TumblingEventTimeWindows", "TumblingProcessingTimeWindows", "Window", "WindowAssigner",
    "WindowOperationDescriptor",
]  # fmt: skip
