# Sourced by the service scripts: where things lie, and starting, awaiting and stopping one background process.
# shellcheck shell=bash
set -euo pipefail
cache=${THALWEG_CACHE:-$HOME/.cache/thalweg}

die() {
  echo "$0: $*" >&2
  exit 1
}

need() {
  for command in "$@"; do
    command -v "$command" > /dev/null || die "needs $command; on Debian: apt-get install maven openjdk-17-jre-headless curl"
  done
}

# One holder of a download folder at a time: two test runs may start the same service.
lock_downloads() {
  mkdir -p "$cache"
  exec 9> "$cache/services.lock"
  flock 9
}

unlock_downloads() {
  exec 9>&-
}

running() { # PID_FILE
  [ -f "$1" ] && kill -0 "$(cat "$1")" 2> /dev/null
}

# await SECONDS PID_FILE LOG COMMAND...: until COMMAND succeeds.
await() {
  local deadline=$((SECONDS + $1)) pid_file=$2 log=$3
  shift 3
  until "$@" > /dev/null 2>&1; do
    running "$pid_file" || { tail -n 25 "$log" >&2; die "ended before it was ready; its log is $log"; }
    [ "$SECONDS" -lt "$deadline" ] || die "not ready in time; its log is $log"
    sleep 0.2
  done
}

stop_process() { # PID_FILE
  running "$1" || { rm -f "$1"; return 0; }
  local pid
  pid=$(cat "$1")
  kill "$pid"
  for _ in $(seq 150); do
    kill -0 "$pid" 2> /dev/null || { rm -f "$1"; return 0; }
    sleep 0.1
  done
  kill -9 "$pid" 2> /dev/null || true
  rm -f "$1"
}

listening() { # PORT
  (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}
