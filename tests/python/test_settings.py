"""Settings: configuration, execution, checkpoints, state, slots; times and types. What is set is what is got."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import pytest
from pyflink.common import (
    AssignerWithPeriodicWatermarksWrapper,
    CompletableFuture,
    ConfigOption,
    ConfigOptions,
    Configuration,
    Duration,
    ExecutionConfig,
    InputDependencyConstraint,
    Instant,
    JobStatus,
    RestartStrategies,
    Row,
    RowKind,
    SimpleStringSchema,
    Time,
    TypeInformation,
    Types,
    TypeSerializer,
    WatermarkStrategy,
)
from pyflink.common.io import InputFormat
from pyflink.common.serialization import ByteArraySchema, DeserializationSchema, RowFieldExtractorSchema, SerializationSchema
from pyflink.common.utils import JavaObjectWrapper
from pyflink.datastream import (
    CheckpointConfig,
    CheckpointingMode,
    CustomCheckpointStorage,
    CustomStateBackend,
    EmbeddedRocksDBStateBackend,
    ExternalizedCheckpointRetention,
    FileSystemCheckpointStorage,
    HashMapStateBackend,
    JobManagerCheckpointStorage,
    MemorySize,
    OutputTag,
    PredefinedOptions,
    SlotSharingGroup,
    StreamExecutionEnvironment,
    TimeDomain,
)
from pyflink.datastream.async_retry_predicates import empty_result_predicate, exception_type_predicate, has_exception_predicate
from pyflink.datastream.functions import AsyncRetryStrategy
from pyflink.datastream.utils import (
    convert_to_python_obj,
    create_hadoop_configuration,
    create_java_properties,
    pickled_bytes_to_python_obj,
)
from pyflink.java_gateway import get_gateway
from thalweg.version import __flink_version__


def test_the_version_is_flinks() -> None:
    from pyflink.version import __version__

    assert __version__ == __flink_version__


def test_configuration() -> None:
    made = Configuration.from_dict({"a": "1"})
    made.set_integer("i", 5).set_boolean("b", True).set_float("f", 1.5).set_string("s", "x").set_bytearray("y", bytearray(b"z"))
    assert (made.get_integer("i", 0), made.get_boolean("b", False), made.get_float("f", 0), made.get_string("s", "")) == (5, True, 1.5, "x")
    assert (made.get_bytearray("y", None), made.get_integer("none", 7)) == (bytearray(b"z"), 7)
    assert made.key_set() == {"a", "i", "b", "f", "s", "y"}
    assert made.contains_key("a")
    target: dict[str, Any] = {}
    made.add_all_to_dict(target)
    assert target["b"] is True
    other = Configuration().add_all(made, "p.")
    assert other.get_string("p.s", None) == "x"
    assert (made.remove_config("a"), made.remove_config("a"), made.contains_key("a")) == (True, False, False)
    assert Configuration(made) == made
    for text in ("a;b", "[a, b]", "- a\n- b"):
        assert Configuration.parse_list_value(text) == ["a", "b"]


def test_options() -> None:
    option = ConfigOptions.key("k").int_type().default_value(3)
    assert isinstance(option, ConfigOption)
    assert (option.key(), option.default_value(), option.has_default_value()) == ("k", 3, True)
    assert not ConfigOptions.key("k").string_type().no_default_value().has_default_value()
    assert ConfigOptions(None) is not None


def test_execution() -> None:
    config = ExecutionConfig(Configuration())
    config.set_auto_watermark_interval(50).set_parallelism(3).set_max_parallelism(64).set_global_job_parameters({"a": "b"})
    config.set_latency_tracking_interval(9).set_task_cancellation_interval(8).set_task_cancellation_timeout(7)
    config.set_use_snapshot_compression(True)
    assert (config.get_auto_watermark_interval(), config.get_parallelism(), config.get_max_parallelism()) == (50, 3, 64)
    assert config.get_global_job_parameters() == {"a": "b"}
    got = config.get_latency_tracking_interval(), config.get_task_cancellation_interval(), config.get_task_cancellation_timeout()
    assert got == (9, 8, 7)
    assert config.is_use_snapshot_compression()
    assert (config.get_default_kryo_serializer_classes(), config.get_registered_kryo_types(), config.get_registered_pojo_types()) == (
        {}, [], [],
    )  # fmt: skip
    assert config == ExecutionConfig(config._config)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("closure_cleaner", "is_closure_cleaner_enabled"),
        ("force_kryo", "is_force_kryo_enabled"),
        ("force_avro", "is_force_avro_enabled"),
        ("object_reuse", "is_object_reuse_enabled"),
        ("auto_generated_uids", "has_auto_generated_uids_enabled"),
    ],
)
def test_switches_of_execution(name: str, question: str) -> None:
    config = ExecutionConfig(Configuration())
    for state in (True, False):
        getattr(config, f"{'enable' if state else 'disable'}_{name}")()
        assert getattr(config, question)() is state


def test_generic_types_may_be_forbidden() -> None:
    config = ExecutionConfig(Configuration())
    assert config.disable_generic_types().has_generic_types_disabled()
    assert not config.enable_generic_types().has_generic_types_disabled()


def test_checkpoints() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    config = env.get_checkpoint_config()
    assert isinstance(config, CheckpointConfig)
    assert not config.is_checkpointing_enabled()
    env.enable_checkpointing(500, CheckpointingMode.AT_LEAST_ONCE)
    assert (config.is_checkpointing_enabled(), env.get_checkpoint_interval()) == (True, 500)
    assert env.get_checkpointing_mode() is env.get_checkpointing_consistency_mode() is config.get_checkpointing_mode()
    config.set_checkpoint_timeout(7).set_min_pause_between_checkpoints(3).set_max_concurrent_checkpoints(2)
    got = config.get_checkpoint_timeout(), config.get_min_pause_between_checkpoints(), config.get_max_concurrent_checkpoints()
    assert got == (7, 3, 2)
    assert config.set_tolerable_checkpoint_failure_number(4).get_tolerable_checkpoint_failure_number() == 4
    assert config.set_fail_on_checkpointing_errors(True).is_fail_on_checkpointing_errors()
    config.set_externalized_checkpoint_retention(ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION)
    assert config.get_externalized_checkpoint_retention() is ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION
    assert config.is_externalized_checkpoints_enabled()


def test_unaligned_checkpoints() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    config = env.get_checkpoint_config()
    assert config.enable_unaligned_checkpoints().is_unaligned_checkpoints_enabled()
    assert env.is_unaligned_checkpoints_enabled()
    assert not config.disable_unaligned_checkpoints().is_unaligned_checkpoints_enabled()
    assert config.set_force_unaligned_checkpoints().is_force_unaligned_checkpoints()
    assert env.is_force_unaligned_checkpoints()
    config.set_aligned_checkpoint_timeout(Duration.of_millis(5))
    assert config.get_aligned_checkpoint_timeout() == Duration.of_millis(5)
    config.set_alignment_timeout(Duration.of_millis(6))
    assert config.get_alignment_timeout() == Duration.of_millis(6)


def test_environments() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(3).set_max_parallelism(9).set_buffer_timeout(17)
    assert (env.get_parallelism(), env.get_max_parallelism(), env.get_buffer_timeout()) == (3, 9, 17)
    assert env.get_config().get_parallelism() == 3
    assert env.is_chaining_enabled()
    assert not env.disable_operator_chaining().is_chaining_enabled()
    assert env.is_chaining_of_operators_with_different_max_parallelism_enabled() in (True, False)
    assert env.set_default_savepoint_directory("/tmp/sp").get_default_savepoint_directory() == "/tmp/sp"
    assert env.enable_changelog_state_backend(True).is_changelog_state_backend_enabled()
    env.configure(Configuration.from_dict({"pipeline.name": "n"}))
    env.set_python_executable("/usr/bin/python3")
    assert env.get_default_local_parallelism() >= 1
    other = StreamExecutionEnvironment.get_execution_environment()
    other.set_default_local_parallelism(2)
    assert other.get_parallelism() == 2
    env.close()


def test_state_backends_keep_what_is_said() -> None:
    backend = EmbeddedRocksDBStateBackend(True)
    backend.set_db_storage_paths("file:///a/", "/b")
    backend.set_predefined_options(PredefinedOptions.FLASH_SSD_OPTIMIZED)
    backend.set_options("some.Factory")
    backend.set_number_of_transfer_threads(8)
    assert (backend.get_db_storage_paths(), backend.is_incremental_checkpoints_enabled()) == (["/a", "/b"], True)
    assert backend.get_predefined_options() is PredefinedOptions.FLASH_SSD_OPTIMIZED
    assert (backend.get_options(), backend.get_number_of_transfer_threads()) == ("some.Factory", 8)
    env = StreamExecutionEnvironment.get_execution_environment()
    for one in (HashMapStateBackend(), backend, CustomStateBackend(None)):
        env.set_state_backend(one)


def test_checkpoint_storages() -> None:
    memory = JobManagerCheckpointStorage(max_state_size=100)
    assert (memory.get_max_state_size(), memory.get_checkpoint_path(), memory.get_savepoint_path()) == (100, None, None)
    files = FileSystemCheckpointStorage("file:///tmp/cp", file_state_size_threshold=5, write_buffer_size=4096)
    assert files.get_checkpoint_path() is not None
    assert (files.get_min_file_size_threshold(), files.get_write_buffer_size(), files.get_savepoint_path()) == (5, 4096, None)
    assert CustomCheckpointStorage(None) is not None


def test_restart_strategies() -> None:
    for strategy, text in (
        (RestartStrategies.no_restart(), "deactivated"),
        (RestartStrategies.fall_back_restart(), "Cluster level"),
        (RestartStrategies.fixed_delay_restart(3, 1000), "3"),
        (RestartStrategies.failure_rate_restart(2, 1000, 10), "2"),
    ):
        assert text in strategy.get_description()
        assert len({strategy, strategy}) == 1
    assert RestartStrategies.no_restart() == RestartStrategies.no_restart()
    assert RestartStrategies.no_restart() != RestartStrategies.fixed_delay_restart(3, 1000)


def test_statuses_of_jobs() -> None:
    assert [s.name for s in JobStatus if s.is_globally_terminal_state()] == ["FAILED", "CANCELED", "FINISHED"]
    assert JobStatus.SUSPENDED.is_terminal_state()
    assert not JobStatus.RUNNING.is_terminal_state()
    assert {one.name for one in InputDependencyConstraint} == {"ANY", "ALL"}


def test_futures() -> None:
    future = CompletableFuture.started(lambda: 5)
    assert (future.result(), future.done(), future.exception(), future.cancelled()) == (5, True, None, False)

    def fail() -> None:
        raise ValueError("no")

    failed = CompletableFuture.started(fail)
    assert isinstance(failed.exception(), ValueError)
    assert failed.cancel() in (True, False)


def test_times() -> None:
    lengths = [Duration.of_days(1), Duration.of_hours(24), Duration.of_minutes(1440), Duration.of_seconds(86400)]
    assert len(set(lengths)) == 1
    assert Duration.of_millis(5) == Duration.of_nanos(5_000_000)
    assert (Time.days(1), Time.hours(1), Time.minutes(1)) == (Time.hours(24), Time.minutes(60), Time.seconds(60))
    assert Time.milliseconds(7).to_milliseconds() == 7
    assert Instant.of_epoch_milli(1500) == Instant(1, 500_000_000)
    assert Instant(1, 500_000_000).to_epoch_milli() == 1500
    assert [one.name for one in TimeDomain] == ["EVENT_TIME", "PROCESSING_TIME"]


def test_types() -> None:
    made: list[TypeInformation] = [
        Types.FLOAT(), Types.CHAR(), Types.BIG_INT(), Types.SQL_DATE(), Types.SQL_TIME(), Types.SQL_TIMESTAMP(), Types.BYTE(),
        Types.SHORT(),
    ]  # fmt: skip
    assert [one.sql_text() for one in made] == [
        "FLOAT", "CHAR(1)", "DECIMAL(38, 0)", "DATE", "TIME(0)", "TIMESTAMP(3)", "TINYINT", "SMALLINT",
    ]  # fmt: skip
    assert Types.BASIC_ARRAY(Types.INT()).sql_text() == "ARRAY<INT>"
    assert Types.PRIMITIVE_ARRAY(Types.BYTE()).sql_text() == "BYTES"
    assert Types.BIG_INT().need_conversion()
    assert Types.BIG_INT().to_internal_type(5) == decimal.Decimal(5)
    assert Types.BIG_INT().from_internal_type(decimal.Decimal(5)) == 5
    assert Types.INT().get_java_type_info() == Types.INT()
    assert Types.INSTANT().to_internal_type(Instant(0, 1000)) == datetime.datetime(1970, 1, 1, 0, 0, 0, 1, datetime.timezone.utc)
    assert Types.ROW_NAMED(["a"], [Types.INT()]).from_internal_type((1,)) == Row(a=1)
    assert RowKind.DELETE.to_j_row_kind() is RowKind.DELETE
    assert Row(a=1, b=2, c=3).get_fields_by_names(["c", "a"]) == [3, 1]


def test_watermark_strategies() -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_idleness(Duration.of_seconds(3))
    aligned = strategy.with_watermark_alignment("g", Duration.of_seconds(2), Duration.of_millis(100))
    assert (aligned._idle_timeout_ms, aligned._alignment, strategy._alignment) == (3000, ("g", 2000, 100), None)
    assert AssignerWithPeriodicWatermarksWrapper("x")._j_assigner_with_periodic_watermarks == "x"


class Reverse(TypeSerializer[str]):
    def serialize(self, element: str, stream: Any) -> None:
        stream.append(element[::-1])

    def deserialize(self, stream: Any) -> str:
        return str(stream.pop())[::-1]


def test_serializers_are_equal_by_class() -> None:
    stream: list[str] = []
    Reverse().serialize("ab", stream)
    assert stream == ["ba"]
    assert Reverse().deserialize(stream) == "ab"
    assert Reverse() == Reverse()


def test_schemas() -> None:
    for schema in (SimpleStringSchema("UTF-16"), ByteArraySchema(), RowFieldExtractorSchema(1)):
        assert isinstance(schema, SerializationSchema)
    assert isinstance(SimpleStringSchema(), DeserializationSchema)
    assert RowFieldExtractorSchema(1)._format().columns[0].of((1, "x")) == b"x"  # type: ignore[misc]
    text = SimpleStringSchema()
    assert text._j_deserialization_schema.deserialize(text._j_serialization_schema.serialize("é")) == "é"
    assert ByteArraySchema()._j_serialization_schema.serialize(b"x") == b"x"
    row = get_gateway().jvm.org.apache.flink.types.Row(2)
    row.setField(0, 42)
    first, second = (RowFieldExtractorSchema(position)._j_serialization_schema for position in (0, 1))
    assert (row.getArity(), row.getField(0)) == (2, 42)
    assert (first.serialize(row), second.serialize(row), first.serialize(None), second.getFieldIndex()) == (b"42", b"", b"", 1)
    assert not first.equals(second)
    assert first.hashCode() == RowFieldExtractorSchema(0)._j_serialization_schema.hashCode()
    with pytest.raises(ValueError, match="non-negative"):
        RowFieldExtractorSchema(-1)
    with pytest.raises(TypeError, match="integer"):
        RowFieldExtractorSchema("a")  # type: ignore[arg-type]
    assert JavaObjectWrapper("j").get_java_object() == "j"
    assert InputFormat("j").get_java_object() == "j"


def test_slot_sharing_groups() -> None:
    builder = SlotSharingGroup.builder("g").set_cpu_cores(1.0).set_task_heap_memory(MemorySize.of_mebi_bytes(100))
    group = builder.set_task_off_heap_memory_mb(200).set_managed_memory("300mb").set_external_resource("gpu", 1.0).build()
    assert (group.get_name(), group.get_cpu_cores(), group.get_external_resources()) == ("g", 1.0, {"gpu": 1.0})
    sizes = group.get_task_heap_memory(), group.get_task_off_heap_memory(), group.get_managed_memory()
    assert sizes == tuple(MemorySize.of_mebi_bytes(n) for n in (100, 200, 300))
    plain = SlotSharingGroup.builder("p").build()
    assert (plain.get_cpu_cores(), plain.get_task_heap_memory(), plain.get_managed_memory()) == (None, None, None)
    assert plain == SlotSharingGroup("p")
    assert group.get_java_slot_sharing_group() is group
    with pytest.raises(ValueError, match="should be positive"):
        SlotSharingGroup.builder("g").set_cpu_cores(1.0).set_task_heap_memory(MemorySize(bytes_size=0))
    with pytest.raises(ValueError, match="cpu cores and task heap memory"):
        SlotSharingGroup.builder("g").set_cpu_cores(1.0).set_task_off_heap_memory_mb(10).build()
    assert StreamExecutionEnvironment.get_execution_environment().register_slot_sharing_group(group) is not None


def test_memory_sizes() -> None:
    size = MemorySize(bytes_size=3 << 40)
    assert (size.get_tebi_bytes(), size.get_gibi_bytes(), size.get_mebi_bytes()) == (3, 3 << 10, 3 << 20)
    assert (size.get_kibi_bytes(), size.get_bytes(), str(size)) == (3 << 30, 3 << 40, f"{3 << 40} bytes")
    assert MemorySize.of_mebi_bytes(1) == MemorySize._parse("1024 kb")
    assert MemorySize.of_mebi_bytes(1) < MemorySize.of_mebi_bytes(2)
    assert MemorySize.of_mebi_bytes(2) <= MemorySize.of_mebi_bytes(2)
    assert size.get_java_memory_size() is size
    with pytest.raises(ValueError, match="not a number of bytes"):
        MemorySize._parse("3 lightyears")


def test_retries() -> None:
    never = AsyncRetryStrategy.no_restart()
    assert (never.can_retry(1), never.get_backoff_time_millis(1)) == (False, -1)
    assert never.get_retry_predicate().result_predicate() is None
    growing = AsyncRetryStrategy.exponential_backoff(3, 10, 25, 2.0, empty_result_predicate, has_exception_predicate)
    assert [growing.get_backoff_time_millis(n) for n in (1, 2, 3)] == [10, 20, 25]
    assert [growing.can_retry(n) for n in (3, 4)] == [True, False]
    predicate = growing.get_retry_predicate()
    assert predicate.result_predicate() is empty_result_predicate
    assert predicate.exception_predicate() is has_exception_predicate
    assert (empty_result_predicate([]), empty_result_predicate([1]), has_exception_predicate(ValueError())) == (True, False, True)
    assert exception_type_predicate(ValueError(), ValueError)
    assert not exception_type_predicate(ValueError(), KeyError)


def test_tags_and_conversions() -> None:
    tag = OutputTag("t", Types.INT())
    assert tag.get_java_output_tag() is tag
    with pytest.raises(ValueError, match="tag_id"):
        OutputTag("")
    assert create_hadoop_configuration({"a": "b"}) == create_java_properties({"a": "b"}) == {"a": "b"}
    assert create_hadoop_configuration(None) == {}
    assert convert_to_python_obj(decimal.Decimal(3), Types.BIG_INT()) == 3
    import pickle

    assert pickled_bytes_to_python_obj(pickle.dumps((1,)), Types.TUPLE([Types.INT()])) == (1,)
