#!/bin/bash
# Runs every unit test program that was built. usage: tools/run_unit_tests.sh    (BUILD_TYPE as for tools/build.sh)
set -u
cd "$(dirname "$0")/.."
kind=${BUILD_TYPE:-release}
passed=0
failed=()
for program in build/"$kind"/tests/unit/*_test; do
  [ -x "$program" ] || continue
  if output=$("$program" --no-intro=true 2>&1); then
    passed=$((passed + 1))
  else
    failed+=("$(basename "$program")")
    echo "$output"
  fi
done
echo "unit tests: $passed programs passed, ${#failed[@]} failed ${failed[*]:-}"
[ ${#failed[@]} -eq 0 ] && [ "$passed" -gt 0 ]
