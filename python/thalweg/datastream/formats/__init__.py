"""Formats of the DataStream API: how records are written as bytes and read back."""
