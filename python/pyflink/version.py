"""PyFlink's version module: the version of Flink that is followed."""

from thalweg.version import __flink_version__ as __version__

__all__ = ["__version__"]
