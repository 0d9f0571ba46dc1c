"""Thalweg: PyFlink programs and Flink SQL on a native engine."""

from thalweg.version import __version__

__all__ = ["__version__"]
