#!/bin/bash
# A real Apache Kafka, one KRaft node on 127.0.0.1. usage: tools/services/kafka.sh start|stop|restart|kill|classpath
#   KAFKA_PORT   its port (9092); the controller takes the next one
#   KAFKA_DATA   its folder for data, log and process id (~/.cache/thalweg/run/kafka-$KAFKA_PORT); `start` keeps what is there
# The 54 MB of jars come from Maven Central once, into ~/.cache/thalweg. `kill` is kill -9, for tests of what survives it.
# shellcheck source=tools/services/common.sh
. "$(dirname "$0")/common.sh"
version=4.1.0
port=${KAFKA_PORT:-9092}
data=${KAFKA_DATA:-$cache/run/kafka-$port}
jars=$cache/kafka-$version

fetch_jars() {
  [ -f "$jars/complete" ] && return
  need mvn java
  lock_downloads
  if [ ! -f "$jars/complete" ]; then
    rm -rf "$jars"
    mkdir -p "$jars"
    cat > "$jars/pom.xml" << POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>thalweg</groupId><artifactId>kafka-service</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>$version</version></dependency>
  </dependencies>
</project>
POM
    (cd "$jars" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=libs) >&2 || die "the download of Kafka failed"
    touch "$jars/complete"
  fi
  unlock_downloads
}

write_configuration() {
  cat > "$data/server.properties" << CONF
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$((port + 1))
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENTS
listeners=CLIENTS://127.0.0.1:$port,CONTROLLER://127.0.0.1:$((port + 1))
advertised.listeners=CLIENTS://127.0.0.1:$port
listener.security.protocol.map=CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=$data/logs
num.partitions=1
# One node holds the only replica of everything.
default.replication.factor=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
# Tests come and go: no waiting for further members of a group.
group.initial.rebalance.delay.ms=0
controlled.shutdown.enable=false
CONF
}

format_storage() {
  [ -f "$data/logs/meta.properties" ] && return
  local id
  id=$(java -cp "$jars/libs/*" kafka.tools.StorageTool random-uuid 2> /dev/null | tail -n 1)
  java -cp "$jars/libs/*" kafka.tools.StorageTool format -t "$id" -c "$data/server.properties" > "$data/format.log" 2>&1 \
    || { cat "$data/format.log" >&2; die "formatting $data failed"; }
}

start() {
  need java
  fetch_jars
  mkdir -p "$data"
  if ! running "$data/pid"; then
    listening "$port" && die "port $port is taken; choose another with KAFKA_PORT"
    write_configuration
    format_storage
    nohup java -Xms128m -Xmx768m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$jars/libs/*" \
      kafka.Kafka "$data/server.properties" > "$data/kafka.log" 2>&1 < /dev/null 9>&- &
    echo $! > "$data/pid"
  fi
  await 90 "$data/pid" "$data/kafka.log" listening "$port"
  echo "ready kafka=127.0.0.1:$port"
}

case ${1:-} in
  start) start ;;
  stop) stop_process "$data/pid" ;;
  restart) stop_process "$data/pid"; start ;;
  kill) kill -9 "$(cat "$data/pid")"; rm -f "$data/pid" ;;
  classpath) fetch_jars; echo "$jars/libs/*" ;;
  *) die "usage: $0 start|stop|restart|kill|classpath" ;;
esac
