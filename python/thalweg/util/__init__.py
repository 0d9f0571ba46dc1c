"""Pieces used across the API."""
