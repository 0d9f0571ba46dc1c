"""Clusters: an engine that stays up and takes programs. A supervisor with one process for each program; see docs/how-to/clusters.md."""
