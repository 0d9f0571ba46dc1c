"""Iterators over views in accumulators."""

from thalweg.table.data_view import RemovableConcatIterator

__all__ = ["RemovableConcatIterator"]
