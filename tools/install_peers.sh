#!/bin/bash
# What `make bench-peers` races against, in build/peers and nowhere else: Apache Flink 2.3.0 with PyFlink (850 MB, a few minutes) and
# DuckDB. Does nothing where all is there. Needs Python 3.9 to 3.12 and a JDK 17. usage: tools/install_peers.sh [flink] [duckdb]
set -euo pipefail
cd "$(dirname "$0")/.."
unset PYTHONPATH  # whose pyflink it is, its own environment says
peers=$PWD/build/peers
flink=2.3.0
mkdir -p "$peers"

die() {
  echo "$0: $*" >&2
  exit 1
}

# PyFlink's wheels end with 3.12.
supported_python() {
  local candidate
  for candidate in python3.11 python3.12 python3.10 python3; do
    if command -v "$candidate" > /dev/null && "$candidate" -c 'import sys; sys.exit(not (3, 9) <= sys.version_info[:2] <= (3, 12))' 2> /dev/null; then
      echo "$candidate"
      return
    fi
  done
  die "Apache Flink $flink needs Python 3.9 to 3.12"
}

install_flink() {
  command -v javac > /dev/null || die "needs a JDK; on Debian: apt-get install openjdk-17-jdk-headless"
  local python=$peers/flink/bin/python home
  if ! "$python" -c "import importlib.metadata as m, sys; sys.exit(m.version('apache-flink') != '$flink')" 2> /dev/null; then
    rm -rf "$peers/flink"
    "$(supported_python)" -m venv "$peers/flink"
    "$peers/flink/bin/pip" install -q --disable-pip-version-check "apache-flink==$flink" 'setuptools<81'
  fi
  home=$("$python" -c 'import os, pyflink; print(os.path.dirname(pyflink.__file__))')
  # Rows that are decoded already, for the engine lane and that of expressions.
  local sources=benchmarks/peers/flink jar=$home/lib/thalweg-replay.jar
  if [ ! -f "$jar" ] || [ -n "$(find "$sources" tools/install_peers.sh -newer "$jar" -type f)" ]; then
    rm -rf "$peers/classes"
    mkdir -p "$peers/classes/META-INF/services"
    javac --release 17 -cp "$home/lib/*" -d "$peers/classes" "$sources"/*.java
    printf 'thalweg.bench.%s\n' ReplayTableFactory RepeatTableFactory > "$peers/classes/META-INF/services/org.apache.flink.table.factories.Factory"
    jar --create --file "$jar" -C "$peers/classes" .
  fi
}

install_duckdb() {
  .venv/bin/python -c 'import duckdb' 2> /dev/null || .venv/bin/pip install -q --disable-pip-version-check -r benchmarks/requirements.txt
}

[ $# -gt 0 ] || set -- flink duckdb
for peer in "$@"; do
  case $peer in
    flink | duckdb) "install_$peer" ;;
    *) die "unknown peer $peer: flink or duckdb" ;;
  esac
done
