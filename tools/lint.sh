#!/bin/bash
# Formatters, linters, types, and the structure check; each says what it found. usage: tools/lint.sh
set -u
cd "$(dirname "$0")/.."
bin=.venv/bin
failed=0
check() {
  local name=$1
  shift
  if output=$("$@" 2>&1); then
    echo "ok   $name"
  else
    failed=1
    echo "FAIL $name"
    echo "$output"
  fi
}
mapfile -t sources < <(git ls-files --cached --others --exclude-standard 'src/*.cc' 'src/*.h' 'tests/*.cc' 'tests/*.h' 'python/*.cc' 'python/*.h')
check "clang-format" $bin/clang-format --dry-run --Werror "${sources[@]}"
check "ruff" $bin/ruff check -q .
check "ruff format" $bin/ruff format -q --check python tests/python
check "mypy" $bin/mypy
check "structure" $bin/python tools/check_structure.py
if command -v gofmt > /dev/null; then
  check "gofmt" bash -c 'test -z "$(gofmt -l broker)"'
fi
exit $failed
