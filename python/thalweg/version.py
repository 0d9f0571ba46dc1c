"""Versions: ours, and the one of Flink whose API and results this release follows."""

__version__ = "0.1.0"
__flink_version__ = "2.3.0"
