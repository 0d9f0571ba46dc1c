"""The Table API in nine small programs, each with a `run()`."""
