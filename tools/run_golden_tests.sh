#!/bin/bash
# Runs the golden files, each at two parallelisms, two batch sizes, with and without restarts.
# usage: tools/run_golden_tests.sh [FILE...]    (BUILD_TYPE as for tools/build.sh)
set -euo pipefail
cd "$(dirname "$0")/.."
exec "build/${BUILD_TYPE:-release}/tests/golden/golden_runner" "${@:-tests/golden}"
