"""What tests of pipelines stand on: hand-driven environments, expectations, and the classes of Flink's own Python tests."""
