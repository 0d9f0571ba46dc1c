"""Exceptions under the names programs catch."""

from thalweg.util.exceptions import Py4JError, Py4JJavaError, Py4JNetworkError

__all__ = ["Py4JError", "Py4JJavaError", "Py4JNetworkError"]
