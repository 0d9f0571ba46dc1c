#!/bin/bash
# A real schema registry with Confluent's REST API on 127.0.0.1. usage: tools/services/schema_registry.sh start|stop
#   SCHEMA_REGISTRY_PORT  its port (8081); the API is at http://127.0.0.1:PORT/apis/ccompat/v7
#   SCHEMA_REGISTRY_DATA  its folder for log and process id (~/.cache/thalweg/run/registry-PORT)
# It is Apicurio with its store in memory (142 MB from Maven Central, once): Confluent's own is not on Maven Central.
# It differs: compatibility NONE unless set, GET /mode is 404, schemas keep their white space, and the path has a prefix.
# shellcheck source=tools/services/common.sh
. "$(dirname "$0")/common.sh"
version=2.6.13.Final
port=${SCHEMA_REGISTRY_PORT:-8081}
data=${SCHEMA_REGISTRY_DATA:-$cache/run/registry-$port}
home=$cache/registry-$version
url=http://127.0.0.1:$port/apis/ccompat/v7

fetch() {
  [ -f "$home/complete" ] && return
  need mvn java tar
  lock_downloads
  if [ ! -f "$home/complete" ]; then
    rm -rf "$home"
    mkdir -p "$home"
    local artifact=io.apicurio:apicurio-registry-app:$version:tar.gz:all
    { mvn -q -B dependency:get -Dtransitive=false -Dartifact="$artifact" \
      && mvn -q -B dependency:copy -Dartifact="$artifact" -DoutputDirectory="$home/download"; } >&2 \
      || die "the download of Apicurio Registry failed"
    tar xzf "$home"/download/*.tar.gz -C "$home"
    rm -rf "$home/download"
    touch "$home/complete"
  fi
  unlock_downloads
}

start() {
  need java curl
  fetch
  mkdir -p "$data"
  if ! running "$data/pid"; then
    listening "$port" && die "port $port is taken; choose another with SCHEMA_REGISTRY_PORT"
    cd "$home"
    nohup java -Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dquarkus.http.host=127.0.0.1 \
      -Dquarkus.http.port="$port" -jar ./*runner.jar > "$data/registry.log" 2>&1 < /dev/null 9>&- &
    echo $! > "$data/pid"
  fi
  await 150 "$data/pid" "$data/registry.log" curl -sf "$url/subjects"
  echo "ready registry=$url"
}

case ${1:-} in
  start) start ;;
  stop) stop_process "$data/pid" ;;
  *) die "usage: $0 start|stop" ;;
esac
