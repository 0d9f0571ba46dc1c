"""Thalweg: PyFlink programs and Flink SQL on a native engine."""

from thalweg.util.user_traceback import install as _install_user_tracebacks
from thalweg.version import __version__

__all__ = ["__version__"]

_install_user_tracebacks()
