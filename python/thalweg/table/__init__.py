"""The Table API and SQL."""

from thalweg._lazy import lazy_exports

__all__ = [
    "AggregateFunction", "AsyncScalarFunction", "ChangelogMode", "CompiledPlan", "DataTypes", "DataView", "EnvironmentSettings",
    "ExplainDetail", "Expression", "FormatDescriptor", "FunctionContext", "GroupWindowedTable", "GroupedTable", "ListView",
    "MapView", "Module", "ModuleEntry", "OverWindowedTable", "PlanReference", "ResultKind", "Row", "RowKind", "ScalarFunction",
    "Schema", "SqlDialect", "StatementSet", "StreamTableEnvironment", "Table", "TableAggregateFunction", "TableConfig",
    "TableDescriptor", "TableEnvironment", "TableFunction", "TablePipeline", "TableResult", "TableSchema", "UserDefinedType",
    "WindowGroupedTable",
]  # fmt: skip

__getattr__ = lazy_exports(
    __name__,
    {
        "changelog_mode": ["ChangelogMode"],
        "compiled_plan": ["CompiledPlan"],
        "data_view": ["DataView", "ListView", "MapView"],
        "environment_settings": ["EnvironmentSettings"],
        "explain_detail": ["ExplainDetail"],
        "expression": ["Expression"],
        "module": ["Module", "ModuleEntry"],
        "plan_reference": ["PlanReference"],
        "result_kind": ["ResultKind"],
        "schema": ["Schema"],
        "sql_dialect": ["SqlDialect"],
        "statement_set": ["StatementSet"],
        "table": ["GroupWindowedTable", "GroupedTable", "OverWindowedTable", "Table", "WindowGroupedTable"],
        "table_config": ["TableConfig"],
        "table_descriptor": ["FormatDescriptor", "TableDescriptor"],
        "table_environment": ["StreamTableEnvironment", "TableEnvironment"],
        "table_pipeline": ["TablePipeline"],
        "table_result": ["TableResult"],
        "table_schema": ["TableSchema"],
        "types": ["DataTypes", "Row", "RowKind", "UserDefinedType"],
        "udf": [
            "AggregateFunction",
            "AsyncScalarFunction",
            "FunctionContext",
            "ScalarFunction",
            "TableAggregateFunction",
            "TableFunction",
        ],
    },
)
