"""The control socket of a process: how `thalweg jobs` and its kin reach jobs that run elsewhere on this machine."""
