# The names that people, CI and scripts use. Each does what it needs first: `make demo` on a fresh machine sets up and builds.
.PHONY: all setup build demo test test-unit test-golden test-python test-services test-sanitizers bench bench-peers reference ledger lint format clean

all: build

# Debian packages and the Python environment.
setup:
	@tools/setup.sh

# The engine and its Python extension, the broker, and .venv/bin/thalweg.
build: setup
	@tools/build.sh _native
	@tools/build_broker.sh
	@tools/install_dev.sh

demo: build
	@.venv/bin/thalweg demo

test: test-unit test-golden test-python

test-unit: build
	@tools/build.sh all
	@tools/run_unit_tests.sh

test-golden: build
	@tools/build.sh golden_runner
	@tools/run_golden_tests.sh

test-python: build
	@.venv/bin/python -m pytest -q tests/python examples

# The same paths against a real Apache Kafka and a real schema registry; installs, starts and stops them.
test-services: build
	@tools/test_services.sh

# The engine's tests once more with AddressSanitizer and UndefinedBehaviorSanitizer, what parses bytes with changed inputs, and the
# threads of the runtime with ThreadSanitizer.
test-sanitizers: setup
	@BUILD_TYPE=asan tools/build.sh all
	@BUILD_TYPE=asan tools/run_unit_tests.sh
	@BUILD_TYPE=asan tools/run_golden_tests.sh
	@BUILD_TYPE=asan tools/run_fuzzers.sh
	@BUILD_TYPE=tsan tools/build.sh runtime_test state_test simulation_test
	@BUILD_TYPE=tsan tools/run_unit_tests.sh

# Ratios in one run; writes docs/reference/performance.md. BENCH=--long adds the lines that take long.
bench: build
	@tools/build.sh engine_lane expression_lane snapshot_stall
	@.venv/bin/python benchmarks/run.py --write $(BENCH)

# The same programs on Apache Flink, which it installs into build/peers (850 MB), and on Thalweg; half an hour.
bench-peers: build
	@tools/build.sh expression_lane replay_lane
	@.venv/bin/python benchmarks/peers.py --write $(BENCH)

# docs/reference/{connectors,formats,functions,types}.md from what the engine says of itself.
reference: build
	@.venv/bin/python tools/reference

# Runs the Python tests with every public name watched; writes docs/reference/python_api.tsv.
ledger: build
	@.venv/bin/python tools/api_ledger.py

lint: setup
	@tools/lint.sh

format: setup
	@find src tests python/native -name '*.cc' -o -name '*.h' | xargs .venv/bin/clang-format -i
	@.venv/bin/ruff format -q python tests/python tools benchmarks

clean:
	rm -rf build python/thalweg/_native.*.so
