#!/bin/bash
# Runs the tests that want a real Apache Kafka and a real schema registry: installs and starts both, stops them afterwards.
# usage: tools/test_services.sh [PYTEST ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
export KAFKA_PORT=${KAFKA_PORT:-19092} SCHEMA_REGISTRY_PORT=${SCHEMA_REGISTRY_PORT:-18081}
stop() {
  tools/services/schema_registry.sh stop || true
  tools/services/kafka.sh stop || true
}
trap stop EXIT
tools/services/kafka.sh start
tools/services/schema_registry.sh start
export THALWEG_TEST_KAFKA=127.0.0.1:$KAFKA_PORT
export THALWEG_TEST_REGISTRY=http://127.0.0.1:$SCHEMA_REGISTRY_PORT/apis/ccompat/v7
.venv/bin/python -m pytest -q tests/services "$@"
