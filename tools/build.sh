#!/bin/bash
# Builds CMake targets in build/release, one build at a time. usage: tools/build.sh [TARGET...]
# BUILD_TYPE=asan|tsan builds with sanitizers in a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=${BUILD_TYPE:-release}
case $kind in
  release) flags=() ;;
  asan) flags=(-DTHALWEG_SANITIZE=address,undefined -DTHALWEG_PYTHON=OFF) ;;
  tsan) flags=(-DTHALWEG_SANITIZE=thread -DTHALWEG_PYTHON=OFF) ;;
  *) echo "unknown BUILD_TYPE $kind: release, asan or tsan" >&2; exit 2 ;;
esac
mkdir -p "build/$kind"
exec 9> "build/$kind/.lock"
flock 9
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
python=${PYTHON:-$PWD/.venv/bin/python}
[ -x "$python" ] && flags+=("-DPython_EXECUTABLE=$python")
[ -f "build/$kind/build.ninja" ] || cmake -S . -B "build/$kind" -G Ninja "${flags[@]}" > "build/$kind/cmake.log" 2>&1 \
  || { cat "build/$kind/cmake.log" >&2; exit 1; }
exec ninja -C "build/$kind" "$@"
