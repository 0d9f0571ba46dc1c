"""`thalweg logs JOBID`: what a job of a cluster wrote."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import BinaryIO

from thalweg.cluster.places import known_clusters
from thalweg.cluster.programs import ProgramRecord, records

_STEP_S = 0.2


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="thalweg logs", description="Shows what a job of a cluster wrote, ended ones too.")
    parser.add_argument("id", help="the job's id, or its first digits")
    parser.add_argument("--stdout", action="store_true", help="only what print() and print sinks wrote")
    parser.add_argument("--stderr", action="store_true", help="only notices and errors")
    parser.add_argument("-f", "--follow", action="store_true", help="go on until the program ends")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    record = find_record(options.id)
    both = options.stdout == options.stderr
    streams: list[tuple[str, BinaryIO]] = []
    if options.stdout or both:
        streams.append(("stdout", sys.stdout.buffer))
    if options.stderr or both:
        streams.append(("stderr", sys.stderr.buffer if both else sys.stdout.buffer))
    follow(record, streams, options.follow)
    return 0


def find_record(prefix: str) -> ProgramRecord:
    """The record of the program that has the job; ValueError where no cluster knows it."""
    found = [
        record
        for cluster in known_clusters()
        for record in records(cluster.programs)
        if any(job["id"].startswith(prefix.lower()) for job in record.jobs())
    ]
    if not found:
        raise ValueError(f"no cluster has run a job {prefix}; `thalweg flink list -a` lists them")
    return found[-1]


def follow(record: ProgramRecord, streams: list[tuple[str, BinaryIO]], until_end: bool) -> None:
    """Copies files of a record to streams, as far as they are written, or until the program ends."""
    offsets = [0] * len(streams)
    while True:
        over = not until_end or record.outcome() is not None
        for i, (name, out) in enumerate(streams):
            offsets[i] = copy_from(record.path(name), offsets[i], out)
        if over:
            return
        time.sleep(_STEP_S)


def copy_from(path: str, offset: int, out: BinaryIO) -> int:
    """Copies what a file has from `offset` on; where it ends now."""
    if not os.path.exists(path):
        return offset
    with open(path, "rb") as file:
        file.seek(offset)
        data = file.read()
    if data:
        out.write(data)
        out.flush()
    return offset + len(data)
