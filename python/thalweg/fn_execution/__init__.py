"""Names of Flink's function runtime that programs import; functions run elsewhere here (thalweg.table.function_runtime)."""
