"""Where clusters keep what they know, and which of them are up."""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import Any

from thalweg._session import state_folder
from thalweg.control.paths import socket_folder

DEFAULT_NAME = "default"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def clusters_folder() -> str:
    """One folder a cluster lies here."""
    return os.path.join(state_folder(), "clusters")


class Cluster:
    """A cluster by its name, up or not."""

    def __init__(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"not a name of a cluster: {name!r}; letters, digits, '-', '_' and '.' make one")
        self.name = name
        self.folder = os.path.join(clusters_folder(), name)

    @property
    def socket(self) -> str:
        """Where its supervisor takes requests. Not in the folder itself: the path of a socket must be short."""
        digest = hashlib.sha256(self.folder.encode()).hexdigest()[:8]
        return os.path.join(socket_folder(), f"cluster-{self.name[:32]}-{digest}.sock")

    @property
    def programs(self) -> str:
        """One folder for each program it ran."""
        return os.path.join(self.folder, "programs")

    def information(self) -> dict[str, Any] | None:
        """What its supervisor wrote when it came up; None where it is not up."""
        try:
            with open(os.path.join(self.folder, "cluster.json"), encoding="utf-8") as file:
                found: dict[str, Any] = json.load(file)
        except (OSError, ValueError):
            return None
        return found if _is_supervisor(found["pid"]) else None

    def write_information(self, information: dict[str, Any]) -> None:
        """Makes it known; whoever reads sees all of it or nothing."""
        path = os.path.join(self.folder, "cluster.json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(information, file)
        os.replace(path + ".new", path)


def _is_supervisor(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"thalweg.cluster.supervisor" in file.read()
    except OSError:
        return False


def known_clusters() -> list[Cluster]:
    """All that were ever started, by name."""
    try:
        names = sorted(os.listdir(clusters_folder()))
    except FileNotFoundError:
        return []
    return [Cluster(name) for name in names if _NAME.fullmatch(name)]


def running_clusters() -> list[Cluster]:
    """Those that are up."""
    return [cluster for cluster in known_clusters() if cluster.information() is not None]


def choose_cluster(wanted: str | None) -> Cluster | None:
    """The cluster by name or by HOST:PORT of its REST address; without one, the only one that is up, or None where none is."""
    wanted = wanted or os.environ.get("THALWEG_CLUSTER") or None
    running = running_clusters()
    if wanted is None:
        if len(running) > 1:
            names = ", ".join(cluster.name for cluster in running)
            raise ValueError(f"several clusters are up ({names}); say which one: -m NAME, or THALWEG_CLUSTER=NAME")
        return running[0] if running else None
    port = wanted.rpartition(":")[2]
    for cluster in running:
        information = cluster.information()
        if cluster.name == wanted or (information is not None and ":" in wanted and port == str(information["port"])):
            return cluster
    up = ", ".join(cluster.name for cluster in running) or "none"
    raise ValueError(f"no cluster {wanted!r} is up (up: {up}); `thalweg cluster start NAME` starts one")
