"""Metrics that user functions keep: counters, gauges, meters, distributions."""

from thalweg.metrics.metricbase import Counter, Distribution, Meter, Metric, MetricGroup

__all__ = ["Counter", "Distribution", "Meter", "Metric", "MetricGroup"]
