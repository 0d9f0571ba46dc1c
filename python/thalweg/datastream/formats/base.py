"""What formats have in common."""

from thalweg.common.io import InputFormat
from thalweg.common.serialization import BulkWriterFactory

__all__ = ["BulkWriterFactory", "InputFormat"]
