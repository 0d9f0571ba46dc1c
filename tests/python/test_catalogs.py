"""Catalogs and what is in them."""

from __future__ import annotations

from typing import Any

import pytest
from pyflink.table import DataTypes, EnvironmentSettings, Schema, TableEnvironment
from pyflink.table.catalog import (
    Catalog,
    CatalogBaseTable,
    CatalogColumnStatistics,
    CatalogDatabase,
    CatalogDescriptor,
    CatalogFunction,
    CatalogPartition,
    CatalogPartitionSpec,
    CatalogTableStatistics,
    Column,
    ComputedColumn,
    Constraint,
    HiveCatalog,
    MetadataColumn,
    ObjectIdentifier,
    ObjectPath,
    PhysicalColumn,
    Procedure,
    ResolvedSchema,
    UniqueConstraint,
    WatermarkSpec,
)
from pyflink.table.expressions import col
from pyflink.table.model_descriptor import ModelDescriptor
from pyflink.table.resolved_expression import ResolvedExpression
from pyflink.util import exceptions

SCHEMA = Schema.new_builder().column("a", DataTypes.INT()).column("day", DataTypes.STRING()).build()
TABLE, OTHER, NOWHERE = ObjectPath("db", "t"), ObjectPath("db", "other"), ObjectPath("nodb", "t")


@pytest.fixture
def environment() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.in_streaming_mode())


@pytest.fixture
def catalog(environment: TableEnvironment) -> Catalog:
    found = environment.get_catalog("default_catalog")
    assert found is not None
    found.create_database("db", CatalogDatabase.create_instance({"k": "v"}, "words"), False)
    return found


def table(comment: str = "words", keys: list[str] | None = None) -> CatalogBaseTable:
    return CatalogBaseTable.create_table(SCHEMA, keys or [], {"connector": "blackhole"}, comment)


def test_databases(catalog: Catalog) -> None:
    assert catalog.get_default_database() == "default_database"
    assert set(catalog.list_databases()) == {"default_database", "db"}
    database = catalog.get_database("db")
    assert (database.get_properties(), database.get_comment()) == ({"k": "v"}, "words")
    assert (database.get_description(), database.get_detailed_description()) == ("words", "words")
    assert database.copy().get_properties() == {"k": "v"}
    catalog.alter_database("db", CatalogDatabase.create_instance({"k": "w"}), False)
    assert catalog.get_database("db").get_properties() == {"k": "w"}
    catalog.create_database("db", CatalogDatabase.create_instance({}), True)
    with pytest.raises(exceptions.DatabaseAlreadyExistException, match="db already exists"):
        catalog.create_database("db", CatalogDatabase.create_instance({}), False)
    catalog.create_table(TABLE, table(), False)
    with pytest.raises(exceptions.DatabaseNotEmptyException, match="not empty"):
        catalog.drop_database("db", False)
    catalog.drop_table(TABLE, False)
    catalog.drop_database("db", False)
    assert not catalog.database_exists("db")
    catalog.drop_database("db", True)
    for call in (
        lambda: catalog.get_database("db"),
        lambda: catalog.drop_database("db", False),
        lambda: catalog.alter_database("db", database, False),
        lambda: catalog.list_tables("db"),
    ):
        with pytest.raises(exceptions.DatabaseNotExistException, match="db does not exist"):
            call()


def test_tables(catalog: Catalog, environment: TableEnvironment) -> None:
    catalog.create_table(TABLE, table(), False)
    assert (catalog.list_tables("db"), catalog.list_views("db"), catalog.list_materialized_tables("db")) == (["t"], [], [])
    found = catalog.get_table(TABLE)
    assert (found.get_options(), found.get_comment()) == ({"connector": "blackhole"}, "words")
    assert "`a`" in str(found.get_unresolved_schema())
    assert (found.get_description(), found.copy().get_comment()) == ("words", "words")
    assert found.get_detailed_description() is not None
    catalog.create_table(TABLE, table(), True)
    with pytest.raises(exceptions.TableAlreadyExistException, match="already exists"):
        catalog.create_table(TABLE, table(), False)
    catalog.alter_table(TABLE, table("anew"), False)
    assert catalog.get_table(TABLE).get_comment() == "anew"
    catalog.rename_table(TABLE, "other", False)
    assert (catalog.table_exists(TABLE), catalog.table_exists(OTHER), catalog.table_exists(NOWHERE)) == (False, True, False)
    catalog.drop_table(TABLE, True)
    catalog.rename_table(TABLE, "x", True)
    catalog.alter_table(TABLE, table(), True)
    for call in (lambda: catalog.get_table(TABLE), lambda: catalog.drop_table(TABLE, False)):
        with pytest.raises(exceptions.TableNotExistException, match="does not exist"):
            call()
    environment.execute_sql("INSERT INTO db.other VALUES (1, 'x')").wait()


def test_views(catalog: Catalog, environment: TableEnvironment) -> None:
    schema = Schema.new_builder().column("x", DataTypes.INT()).build()
    view = CatalogBaseTable.create_view("SELECT 1 AS x", "SELECT 1 AS x", schema, {}, "one")
    catalog.create_table(OTHER, view, False)
    assert (catalog.list_views("db"), catalog.get_table(OTHER).get_comment()) == (["other"], "one")
    with environment.execute_sql("SELECT * FROM db.other").collect() as rows:
        assert [row[0] for row in rows] == [1]
    catalog.drop_table(OTHER, False)
    assert catalog.list_views("db") == []


def spec(day: str) -> CatalogPartitionSpec:
    return CatalogPartitionSpec({"day": day})


def test_partitions(catalog: Catalog) -> None:
    catalog.create_table(TABLE, table(keys=["day"]), False)
    partition = CatalogPartition.create_instance({"k": "v"}, "words")
    assert (partition.get_properties(), partition.get_comment(), partition.copy().get_properties()) == ({"k": "v"}, "words", {"k": "v"})
    assert (partition.get_description(), partition.get_detailed_description()) == ("words", "words")
    catalog.create_partition(TABLE, spec("1"), partition, False)
    assert catalog.partition_exists(TABLE, spec("1"))
    assert catalog.list_partitions(TABLE) == catalog.list_partitions(TABLE, spec("1")) == [spec("1")]
    assert spec("1").get_partition_spec() == {"day": "1"}
    catalog.alter_partition(TABLE, spec("1"), CatalogPartition.create_instance({"k": "w"}), False)
    assert catalog.get_partition(TABLE, spec("1")).get_properties() == {"k": "w"}
    with pytest.raises(exceptions.PartitionAlreadyExistsException, match="already exists"):
        catalog.create_partition(TABLE, spec("1"), partition, False)
    with pytest.raises(exceptions.PartitionSpecInvalidException, match="does not match"):
        catalog.create_partition(TABLE, CatalogPartitionSpec({"z": "1"}), partition, False)
    catalog.drop_partition(TABLE, spec("1"), False)
    catalog.drop_partition(TABLE, spec("1"), True)
    with pytest.raises(exceptions.PartitionNotExistException, match="does not exist"):
        catalog.get_partition(TABLE, spec("1"))
    catalog.create_table(OTHER, table(), False)
    with pytest.raises(exceptions.TableNotPartitionedException, match="not partitioned"):
        catalog.list_partitions(OTHER)


def test_functions(catalog: Catalog) -> None:
    function = CatalogFunction.create_instance("os.path.join", "Python")
    assert (function.get_class_name(), function.get_function_language(), function.copy().get_class_name()) == (
        "os.path.join", "PYTHON", "os.path.join",
    )  # fmt: skip
    assert function.get_options() == {}
    assert function.get_description() is not None
    assert function.get_detailed_description() is not None
    path = ObjectPath("db", "f")
    catalog.create_function(path, function, False)
    assert (catalog.list_functions("db"), catalog.function_exists(path)) == (["f"], True)
    assert catalog.get_function(path).get_class_name() == "os.path.join"
    catalog.create_function(path, function, True)
    with pytest.raises(exceptions.FunctionAlreadyExistException, match="already exists"):
        catalog.create_function(path, function, False)
    catalog.alter_function(path, CatalogFunction.create_instance("os.path.split"), False)
    assert catalog.get_function(path).get_class_name() == "os.path.split"
    catalog.drop_function(path, False)
    catalog.drop_function(path, True)
    with pytest.raises(exceptions.FunctionNotExistException, match="does not exist"):
        catalog.get_function(path)
    assert catalog.list_procedures("db") == []
    with pytest.raises(NotImplementedError, match="get_procedure"):
        catalog.get_procedure(path)
    assert Procedure(None) is not None


def test_models(catalog: Catalog) -> None:
    model = ModelDescriptor.for_provider("openai").input_schema(SCHEMA).output_schema(SCHEMA).build()
    path = ObjectPath("db", "m")
    catalog.create_model(path, model, False)
    assert (catalog.list_models("db"), catalog.model_exists(path), catalog.get_model(path)) == (["m"], True, model)
    with pytest.raises(exceptions.ModelAlreadyExistException, match="already exists"):
        catalog.create_model(path, model, False)
    catalog.alter_model(path, model, False)
    catalog.rename_model(path, "n", False)
    assert catalog.list_models("db") == ["n"]
    catalog.drop_model(ObjectPath("db", "n"), False)
    with pytest.raises(exceptions.ModelNotExistException, match="does not exist"):
        catalog.get_model(path)


def test_statistics_are_noted(catalog: Catalog) -> None:
    catalog.create_table(TABLE, table(keys=["day"]), False)
    catalog.create_partition(TABLE, spec("1"), CatalogPartition.create_instance({}), False)
    sizes, columns = CatalogTableStatistics(5, 2, 100, 200, {"k": "v"}), CatalogColumnStatistics({"a": 1}, {"k": "v"})
    assert (sizes.get_row_count(), sizes.get_field_count(), sizes.get_total_size(), sizes.get_raw_data_size()) == (5, 2, 100, 200)
    assert (sizes.get_properties(), sizes.copy().get_row_count()) == ({"k": "v"}, 5)
    assert (columns.get_column_statistics_data(), columns.get_properties(), columns.copy().get_properties()) == (
        {"a": 1}, {"k": "v"}, {"k": "v"},
    )  # fmt: skip
    assert catalog.get_table_statistics(TABLE).get_row_count() == -1
    catalog.alter_table_statistics(TABLE, sizes, False)
    catalog.alter_table_column_statistics(TABLE, columns, False)
    catalog.alter_partition_statistics(TABLE, spec("1"), sizes, False)
    catalog.alter_partition_column_statistics(TABLE, spec("1"), columns, False)
    assert catalog.get_table_statistics(TABLE).get_row_count() == 5
    assert catalog.get_table_column_statistics(TABLE).get_column_statistics_data() == {"a": 1}
    assert catalog.get_partition_statistics(TABLE, spec("1")).get_row_count() == 5
    assert catalog.get_partition_column_statistics(TABLE, spec("1")).get_column_statistics_data() == {"a": 1}
    assert [one.get_row_count() for one in catalog.bulk_get_partition_statistics(TABLE, [spec("1")])] == [5]
    assert len(catalog.bulk_get_partition_column_statistics(TABLE, [spec("1")])) == 1


def test_paths_and_identifiers() -> None:
    path = ObjectPath.from_string("db.t")
    assert (path, path.get_database_name(), path.get_object_name(), path.get_full_name()) == (TABLE, "db", "t", "db.t")
    assert path.compare_to(TABLE)
    with pytest.raises(ValueError, match="Cannot split"):
        ObjectPath.from_string("t")
    identifier = ObjectIdentifier.of("c", "d", "o")
    assert (identifier.get_catalog_name(), identifier.get_database_name(), identifier.get_object_name()) == ("c", "d", "o")
    assert (identifier.to_list(), identifier.to_object_path()) == (["c", "d", "o"], ObjectPath("d", "o"))
    assert (identifier.as_serializable_string(), identifier.as_summary_string()) == ("`c`.`d`.`o`", "c.d.o")
    assert identifier == ObjectIdentifier.of("c", "d", "o")
    with pytest.raises(NotImplementedError, match="HiveCatalog"):
        HiveCatalog("h")


def test_catalogs_by_description(environment: TableEnvironment) -> None:
    from pyflink.common import Configuration

    environment.create_catalog("mine", CatalogDescriptor.of("mine", Configuration.from_dict({"type": "generic_in_memory"})))
    assert "mine" in environment.list_catalogs()


@pytest.fixture
def resolved() -> ResolvedSchema:
    computed = ResolvedExpression(((col("a") + 1)._tree, DataTypes.INT()))
    watermark = WatermarkSpec.of("ts", ResolvedExpression((col("ts")._tree, DataTypes.TIMESTAMP(3))))
    columns = [Column.physical("a", DataTypes.INT()), Column.computed("b", computed), Column.physical("ts", DataTypes.TIMESTAMP(3))]
    return ResolvedSchema(columns, [watermark], UniqueConstraint.primary_key("pk", ["a"]))


def test_columns_by_kind() -> None:
    physical = Column.physical("a", DataTypes.INT())
    assert isinstance(physical, PhysicalColumn)
    assert (physical.is_physical(), physical.is_persisted(), physical.get_name(), physical.get_comment()) == (True, True, "a", None)
    assert physical.get_data_type() == DataTypes.INT()
    assert physical.with_comment("c").get_comment() == "c"
    assert (physical.rename("b").get_name(), physical.copy(DataTypes.BIGINT()).get_data_type()) == ("b", DataTypes.BIGINT())
    assert (physical.as_summary_string(), physical.explain_extras()) == ("`a` INT", None)
    metadata = Column.metadata("m", DataTypes.STRING(), "key", True)
    assert isinstance(metadata, MetadataColumn)
    assert (metadata.is_virtual(), metadata.get_metadata_key(), metadata.is_physical(), metadata.is_persisted()) == (
        True,
        "key",
        False,
        False,
    )
    assert metadata.explain_extras() == "METADATA FROM 'key' VIRTUAL"
    assert metadata.rename("n").get_name() == "n"
    assert metadata.copy(DataTypes.INT()).get_data_type() == DataTypes.INT()
    assert metadata.with_comment("c").get_comment() == "c"
    assert metadata == Column.metadata("m", DataTypes.STRING(), "key", True)
    assert physical != metadata


def test_columns_that_are_computed(resolved: ResolvedSchema) -> None:
    [computed] = [column for column in resolved.get_columns() if isinstance(column, ComputedColumn)]
    assert (computed.is_physical(), computed.is_persisted()) == (False, False)
    expression = computed.get_expression()
    assert "a" in expression.as_summary_string()
    assert "a" in computed.explain_extras()  # type: ignore[operator]
    assert computed == Column.computed("b", expression)
    assert (computed.rename("z").get_name(), computed.with_comment("c").get_comment()) == ("z", "c")
    assert computed.copy(DataTypes.BIGINT()).get_data_type() == DataTypes.BIGINT()


def test_resolved_schemas(resolved: ResolvedSchema) -> None:
    assert (resolved.get_column_count(), resolved.get_column_names()) == (3, ["a", "b", "ts"])
    assert len(resolved.get_column_data_types()) == 3
    assert resolved.get_column(0) == resolved.get_column("a")
    key = resolved.get_primary_key()
    assert isinstance(key, UniqueConstraint)
    assert isinstance(key, Constraint)
    assert (key.get_columns(), key.is_enforced(), key.get_type_string()) == (["a"], False, "PRIMARY KEY")
    assert key.get_type() is Constraint.ConstraintType.PRIMARY_KEY
    assert "PRIMARY KEY" in key.as_summary_string()
    assert key.get_name() == "pk"
    [watermark] = resolved.get_watermark_specs()
    assert isinstance(watermark, WatermarkSpec)
    assert watermark.get_rowtime_attribute() == "ts"
    assert watermark == WatermarkSpec.of("ts", watermark.get_watermark_expression())
    assert "WATERMARK FOR" in watermark.as_summary_string()
    assert resolved.get_primary_key_indexes() == [0]


def test_rows_of_schemas() -> None:
    schema = ResolvedSchema.of([
        Column.physical("a", DataTypes.INT()),
        Column.metadata("m", DataTypes.STRING(), None, True),
        Column.metadata("w", DataTypes.STRING(), None, False),
    ])  # fmt: skip

    def names(row: Any) -> list[str]:
        return [field.name for field in row.fields]

    assert names(schema.to_physical_row_data_type()) == ["a"]
    assert names(schema.to_source_row_data_type()) == ["a", "m", "w"]
    assert names(schema.to_sink_row_data_type()) == ["a", "w"]
    assert schema == ResolvedSchema(schema.get_columns())
    assert ResolvedSchema.physical(["a"], [DataTypes.INT()]) == ResolvedSchema.of([Column.physical("a", DataTypes.INT())])
