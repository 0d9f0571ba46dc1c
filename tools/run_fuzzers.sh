#!/bin/bash
# Runs every fuzz target that was built over the seeds of tests/fuzz/corpus and random changes of them, the same in every
# run. usage: tools/run_fuzzers.sh [RUNS [SEED]]    (BUILD_TYPE as for tools/build.sh, best asan)
set -u
cd "$(dirname "$0")/.."
kind=${BUILD_TYPE:-release}
passed=0
failed=()
for program in build/"$kind"/tests/fuzz/*_fuzz; do
  [ -x "$program" ] || continue
  name=$(basename "$program" _fuzz)
  if "$program" "tests/fuzz/corpus/$name" "${1:-20000}" "${2:-1}"; then
    passed=$((passed + 1))
  else
    failed+=("$name")
    echo "$name failed; the input is $program.last-input"
  fi
done
echo "fuzzers: $passed passed, ${#failed[@]} failed ${failed[*]:-}"
[ ${#failed[@]} -eq 0 ] && [ "$passed" -gt 0 ]
