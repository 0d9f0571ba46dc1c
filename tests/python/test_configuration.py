"""Configuration, environments that share it, and what the command line adds."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyflink.common import Configuration, RestartStrategies
from pyflink.datastream import CheckpointingMode, RuntimeExecutionMode, StreamExecutionEnvironment
from pyflink.table import EnvironmentSettings, TableConfig, TableEnvironment
from thalweg._session import outside_settings, parse_aliases


def test_values_and_their_types() -> None:
    config = Configuration.from_dict({"a": "1", "b": True})
    config.set_float("c", 0.5)
    assert (config.get_integer("a", 0), config.get_boolean("b", False), config.get_float("c", 0.0)) == (1, True, 0.5)
    assert config.to_dict() == {"a": "1", "b": "true", "c": "0.5"}
    assert Configuration.parse_list_value("[x, 'y']") == Configuration.parse_list_value("x;y") == ["x", "y"]


def test_a_stream_environment_writes_flinks_keys() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(3).set_runtime_mode(RuntimeExecutionMode.BATCH).enable_checkpointing(500, CheckpointingMode.AT_LEAST_ONCE)
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(2, 1000))
    values = env._configuration.to_dict()
    assert values["parallelism.default"] == "3"
    assert values["execution.runtime-mode"] == "BATCH"
    assert values["execution.checkpointing.interval"] == "500 ms"
    assert values["restart-strategy.fixed-delay.delay"] == "1000 ms"
    assert env.get_checkpoint_interval() == 500


def test_a_runtime_mode_that_there_is_not_is_named() -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    t_env.get_config().set("execution.runtime-mode", "bach")
    with pytest.raises(Exception, match="'bach' for configuration 'execution"):
        t_env.execute_sql("SELECT 1")
    t_env.get_config().set("execution.runtime-mode", "Batch")
    assert list(t_env.execute_sql("SELECT 1").collect())


def test_jars_are_accepted_with_one_line(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    from thalweg.util import notices

    notices._said.clear()
    caplog.set_level("INFO")
    env = StreamExecutionEnvironment.get_execution_environment()
    env.add_jars("file:///D:\\some\\folder\\flink-sql-connector-kafka-3.1.0-1.18.jar")
    env.add_jars("file:///D:\\some\\folder\\flink-sql-connector-kafka-3.1.0-1.18.jar")
    assert (capsys.readouterr().err + caplog.text).count("INFO") == 1


def test_settings_choose_the_mode() -> None:
    assert EnvironmentSettings.in_streaming_mode().is_streaming_mode()
    assert not EnvironmentSettings.in_batch_mode().is_streaming_mode()
    config = TableConfig()
    config.set_local_timezone("Asia/Kolkata")
    assert config.get_configuration().get_string("table.local-time-zone", "") == "Asia/Kolkata"


def test_aliases_and_a_file_of_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "thalweg.toml").write_text('[config]\nparallelism.default = 2\n[aliases]\n"broker:9092" = "localhost:1"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THALWEG_ALIASES", "broker:9092=localhost:9097")
    assert outside_settings() == ({"parallelism.default": "2"}, {"broker:9092": "localhost:9097"})
    with pytest.raises(ValueError, match="NAME:PORT=HOST:PORT"):
        parse_aliases(["broker:9092"])
