#!/bin/bash
# Installs what a build needs: Debian packages (with sudo unless root) and a Python environment in .venv. Does nothing where all is
# there. Never asks. usage: tools/setup.sh
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++ cmake ninja-build ccache doctest-dev libfmt-dev librdkafka-dev libsimdjson-dev libpcre2-dev libroaring-dev libhowardhinnant-date-dev
  libboost1.81-dev libcpp-httplib-dev nlohmann-json3-dev libssl-dev libmimalloc-dev python3-dev python3-venv tzdata)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing Debian packages: ${missing[*]}"
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

[ -x .venv/bin/python ] || "${PYTHON:-python3}" -m venv .venv
wanted=$(sha256sum < tools/requirements.txt | cut -d' ' -f1)
if [ "$(cat .venv/requirements.sha256 2>/dev/null)" != "$wanted" ]; then
  .venv/bin/pip install -q --disable-pip-version-check -r tools/requirements.txt
  echo "$wanted" > .venv/requirements.sha256
fi
