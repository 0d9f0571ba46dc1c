#!/bin/bash
# Runs every unit test program that was built. usage: tools/run_unit_tests.sh    (BUILD_TYPE as for tools/build.sh)
set -u
cd "$(dirname "$0")/.."
kind=${BUILD_TYPE:-release}
# Freed memory is soon reused: tests look at how much memory a job holds.
export ASAN_OPTIONS=quarantine_size_mb=4
passed=0
failed=()
for program in build/"$kind"/tests/unit/*_test build/"$kind"/tests/simulation/simulation_test; do
  [ -x "$program" ] || continue
  arguments=(--no-intro=true)
  if [ "$(basename "$program")" = simulation_test ]; then
    # With sanitizers a seed takes many times as long.
    arguments=(--seeds "$([ "$kind" = release ] && echo 1500 || echo 150)")
  fi
  if output=$("$program" "${arguments[@]}" 2>&1); then
    passed=$((passed + 1))
  else
    failed+=("$(basename "$program")")
    echo "$output"
  fi
done
echo "unit tests: $passed programs passed, ${#failed[@]} failed ${failed[*]:-}"
[ ${#failed[@]} -eq 0 ] && [ "$passed" -gt 0 ]
