"""Metrics of functions."""

from __future__ import annotations

import pytest
from pyflink.metrics import Counter, Distribution, Meter, MetricGroup
from thalweg.metrics.local import LocalMetricGroup


def test_counters_gauges_meters_distributions() -> None:
    now = [100.0]
    group = LocalMetricGroup(clock=lambda: now[0])
    assert isinstance(group, MetricGroup)
    counter, meter, distribution = group.counter("lines"), group.meter("rate", 10), group.distribution("sizes")
    assert isinstance(counter, Counter)
    assert isinstance(meter, Meter)
    assert isinstance(distribution, Distribution)
    counter.inc()
    counter.inc(5)
    counter.dec()
    counter.dec(2)
    meter.mark_event()
    meter.mark_event(29)
    distribution.update(3)
    distribution.update(5)
    group.gauge("depth", lambda: 7)
    assert (counter.get_count(), meter.get_count()) == (3, 30)
    assert group.snapshot() == {"lines": 3, "rate": 3.0, "sizes": 4.0, "depth": 7}
    now[0] = 111.0
    assert group.snapshot()["rate"] == 0
    assert meter.get_count() == 30


def test_groups_are_parts_of_names() -> None:
    group = LocalMetricGroup()
    group.add_group("kind", "fast").add_group("inner").counter("c").inc(2)
    assert group.snapshot() == {"kind.fast.inner.c": 2}


def test_a_name_keeps_its_first_metric() -> None:
    group = LocalMetricGroup()
    group.counter("c").inc()
    group.counter("c").inc()
    assert group.snapshot() == {"c": 2}
    with pytest.raises(ValueError, match="'c' is registered already, and not as a meter"):
        group.meter("c")
    with pytest.raises(ValueError, match="not as a distribution"):
        group.distribution("c")
    group.meter("m")
    with pytest.raises(ValueError, match="not as a counter"):
        group.counter("m")
