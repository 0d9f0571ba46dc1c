"""The contract between the Python API and the C++ engine: what `python/native` exports as `thalweg._native`.

Rules
- Types cross as Flink's type text: what `DataType::to_serializable_string` writes ("INT NOT NULL", "ROW<`a` INT>"), plus
  " *ROWTIME*" / " *PROCTIME*" before NOT NULL for time attributes. Python parses it with `thalweg.table.type_parser`.
- Every call that may wait releases the GIL, wakes at least every 100 ms to hear Ctrl-C, and then cancels what it waits for.
- An engine error is raised as the Python class that stands for its Flink class
  (`thalweg.util.exceptions.exception_from_native(flink_class, code, name, message, rendered)`).
- All objects are used from the thread that made them, except `Job.cancel` and `Result.close`.

Expression trees (`Tree`)
    ("col", name)                           a column of the input
    ("lit", value, type)                    value: None | bool | int | float | str | bytes; DECIMAL, DATE, TIME, TIMESTAMP
                                            and TIMESTAMP_LTZ as SQL text (LTZ in UTC); ARRAY and ROW as tuples of values,
                                            MAP as a tuple of (key, value)
    ("interval", text, leading, trailing)   INTERVAL 'text' leading [TO trailing]; trailing None where there is one unit
    ("call", NAME, (Tree, ...))             a SQL function or operator by the name SQL uses: "+", "=", "AND", "IS NULL",
                                            "LIKE", "BETWEEN", "SUM", "CONCAT", "CASE" (when, then, ..., else), "IN", "[]" (item),
                                            "." (field, name as lit), "DISTINCT" (around an aggregate call), "FILTER"
                                            (aggregate, condition), "ARRAY", "MAP", "ROW", "EXTRACT" (symbol, e), "FLOOR" and
                                            "CEIL" (e, symbol), "TRIM" (symbol, what, e), "TUMBLE", "TUMBLE_START", ... as in SQL.
                                            Names without a SQL spelling: "$SUM0" (e), "$ROW_INTERVAL" (n rows, as a window's size),
                                            "$FLATTEN" (row), "$ROWTIME"/"$PROCTIME" (e) outside of windows.
    ("symbol", text)                        a keyword argument: "DAY", "BOTH", "WITH CONDITIONAL WRAPPER", ...
    ("type", type)                          a type argument
    ("cast", Tree, type) / ("try_cast", Tree, type)
    ("as", Tree, (name, ...))               several names only for table functions
    ("asc", Tree) / ("desc", Tree)          only at the top of an ORDER BY list
    ("over", Tree, (partition Tree, ...), (order Tree, ...), mode, lower, upper)
                                            mode "ROWS" | "RANGE"; bounds "UNBOUNDED" | "CURRENT" | Tree
    ("in_table", Tree, Relation)            e IN (subquery)
    ("sql", text)                           a SQL expression to be parsed (call_sql)
    ("descriptor", (name, ...))             DESCRIPTOR(a, b)
    ("named_arg", name, Tree)               name => e
    ("python", Function, (Tree, ...))       an inline Python function
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from thalweg.common.types import RowKind

Tree = tuple[Any, ...]
Column = tuple[str, str]
"""(name, type text)"""
Names = list[str]
NamedObjects = list[tuple[str, bool]]
Insert = tuple[str, Any]
"""("sql", statement), ("table", (path, Relation, overwrite)) or, for explain only, ("query", Relation)"""

__version__: str

def split_statements(script: str, shell: bool = False) -> list[tuple[str, int, int]]:
    """The statements of a script: (text without the ending ';', its offset, its line).

    Strings, quoted names, comments and BEGIN ... END of statement sets are respected; comments alone make no statement.
    `shell`: the INSERTs of BEGIN STATEMENT SET come one by one.
    """

def is_complete(text: str) -> bool:
    """Whether the text ends with a ';' that ends a statement."""

def is_insert(statement: str) -> bool:
    """Whether it is an INSERT INTO or INSERT OVERWRITE; raises where it does not parse."""

def unparse(expression: Tree) -> str:
    """The SQL text of an expression (for watermarks and computed columns of a Schema)."""

def add_test_sink() -> None:
    """Adds the connector 'test-sink' of PyFlink's own tests; before any statement runs."""

def take_test_sink_lines() -> list[str]:
    """What tables of 'test-sink' got since the last call: "+I[1, a]"."""

Option = tuple[str, str, str | None, bool, str, list[str]]
"""(key, type, default, required, description, values of an enum)"""

def reference() -> dict[str, list[Any]]:
    """What the pages of docs/reference are made of.

    "connectors": (name, [Option], [(metadata key, type, writable)]); "formats": (name, [Option]);
    "functions": (names, "scalar" | "aggregate", forms, description, examples);
    "types": (name, spelling, range, place in a column, bytes, text of a sample);
    "casts": (source, target, "implicit" | "total" | "checked").
    """

class Session:
    """One catalog, configuration and set of jobs. What a TableEnvironment holds."""

    def __init__(self, config: dict[str, str], aliases: dict[str, str] = ..., hand_driven: bool = False) -> None:
        """`execution.runtime-mode` and everything else as Flink configuration keys; host:port as written -> to use.

        `hand_driven`: the clock stands still until it is moved, and tables of the connector test-stream are fed by `feed`.
        """
    # configuration
    def set(self, key: str, value: str) -> None: ...
    def get(self, key: str) -> str | None: ...
    def reset(self, key: str | None = None) -> None: ...
    def config(self) -> dict[str, str]: ...
    # statements
    def execute(self, statement: str, client: bool = False) -> Result:
        """Any one statement. `client`: SET, RESET, SHOW JOBS, STOP JOB and what else only Flink's SQL client takes."""
    def explain(self, inserts_or_query: Sequence[Insert], details: Sequence[str]) -> str:
        """Flink's plan text of one query or of a set of INSERTs. details: "ESTIMATED_COST", "CHANGELOG_MODE",
        "JSON_EXECUTION_PLAN", "PLAN_ADVICE"."""
    def execute_inserts(self, inserts: Sequence[Insert], name: str | None = None) -> Result:
        """One job for all of them (a statement set); one INSERT is a set of one."""
    # relations
    def query(self, statement: str) -> Relation: ...
    def from_path(self, path: str) -> Relation: ...
    def from_rows(self, columns: Sequence[Column], rows: Sequence[tuple[Any, ...]]) -> Relation:
        """A bounded table of Python values (int, float, str, bytes, bool, Decimal, date, time, datetime, timedelta, list, dict,
        tuple or Row), already checked by Python against the types."""
    def from_columns(self, columns: Sequence[Column], values: Sequence[Any], rows: int) -> Relation:
        """The same of whole columns: each an Arrow array of the type that PyFlink has for the column's, or a list of values."""
    def values(self, rows: Sequence[Sequence[Tree]], columns: Sequence[str]) -> Relation:
        """VALUES of expressions, as in SQL; no names: EXPR$0, ..."""
    # catalog; `path` may be qualified and quoted as in SQL
    def create_view(self, path: str, relation: Relation, temporary: bool, ignore_if_exists: bool) -> None: ...
    def create_function(self, path: str, function: Function, temporary: bool, system: bool, ignore_if_exists: bool = False) -> bool: ...
    def drop(self, kind: str, path: str, temporary: bool) -> bool:
        """kind: "TABLE" | "VIEW" | "FUNCTION" | "SYSTEM FUNCTION". Whether there was one."""
    def list(self, kind: str) -> Names:
        """kind: "catalogs", "databases", "tables" (with views), "views", "temporary_tables", "temporary_views", "functions",
        "user_functions", "modules". Sorted."""
    def current(self) -> tuple[str, str]:
        """Catalog and database."""
    # what the catalogs hold; temporary objects are not in them
    def catalog_databases(self, catalog: str) -> Names: ...
    def catalog_database(self, catalog: str, database: str) -> tuple[str | None, dict[str, str]] | None:
        """Comment and properties."""
    def catalog_objects(self, catalog: str, database: str) -> NamedObjects:
        """(name, whether it is a view)"""
    def catalog_object(self, catalog: str, database: str, name: str) -> dict[str, Any] | None:
        """ "schema" (parts as in Schema), "options", "partition_keys", "comment"; for a view "query" and "expanded_query"."""
    def catalog_functions(self, catalog: str, database: str) -> Names: ...
    def catalog_function(self, catalog: str, database: str, name: str) -> dict[str, Any] | None:
        """ "class_name", "language", "options"."""
    def register_catalog(self, name: str, bridge: object, default_database: str) -> None:
        """A catalog written in Python: `bridge` is a `thalweg.table.catalog_bridge.CatalogBridge`."""
    # hand-driven sessions; tables by their full name, catalog.database.table
    def is_read(self, table: str) -> bool:
        """Whether a job reads the table, so that it can be fed."""
    def feed(self, table: str, rows: Sequence[tuple[int, Sequence[Any]]], split: int = 0) -> None:
        """(row kind, values of the stored columns)"""
    def end_feed(self, table: str) -> None:
        """No more rows will come."""
    def advance_clock(self, ms: int) -> None:
        """Moves the clock to so many milliseconds since the epoch; never back."""
    def clock_ms(self) -> int: ...
    def jobs(self) -> Jobs: ...
    def end_job(self, job: Job) -> None:
        """Cancels a job and waits some seconds for its end; functions that do not come back are interrupted, then left behind."""
    def close(self) -> None:
        """Cancels the session's jobs."""

class Relation:
    """An immutable logical plan node; every operation is validated at once."""

    def columns(self) -> list[Column]: ...
    def session(self) -> Session: ...
    def check_insert_only(self, reader: str) -> None:
        """Refuses rows that change, in the words for a sink named `reader`."""

    def changelog(self, makes_table: bool, arguments: Sequence[Tree]) -> Relation:
        """TO_CHANGELOG, or FROM_CHANGELOG where it `makes_table`, with the arguments behind the input."""
    def with_watermark(self, column: str, watermark: Tree) -> Relation:
        """WATERMARK FOR column AS watermark."""
    def select(self, expressions: Sequence[Tree]) -> Relation:
        """Python has already named unnamed expressions and expanded column ranges; "*" does not occur."""
    def filter(self, condition: Tree) -> Relation: ...
    def aggregate(self, keys: Sequence[Tree], expressions: Sequence[Tree]) -> Relation:
        """SELECT expressions GROUP BY keys: as the same SQL. A group window is one of the keys: ("call", "TUMBLE" | "HOP" |
        "SESSION", (time, size...)), its bounds are ("call", "TUMBLE_START", ...) in the expressions. No keys: a global one."""
    def distinct(self) -> Relation: ...
    def alias(self, names: Sequence[str]) -> Relation:
        """Renames the first columns."""
    def join(self, right: Relation, kind: str, condition: Tree | None) -> Relation:
        """kind: "INNER" | "LEFT" | "RIGHT" | "FULL". Column names of both sides must differ."""
    def lateral(self, call: Tree, kind: str, condition: Tree | None) -> Relation:
        """Joins a table function's rows; `call` is an ("as", call, names). kind "INNER" | "LEFT"."""
    def set_operation(self, right: Relation, kind: str, all_rows: bool) -> Relation:
        """kind: "UNION" | "INTERSECT" | "EXCEPT"."""
    def order_by(self, keys: Sequence[Tree]) -> Relation: ...
    def limit(self, offset: int, fetch: int | None) -> Relation: ...
    def execute(self) -> Result: ...

class Result:
    """What a statement gave: rows that may still be coming, or only "OK"."""

    @property
    def has_rows(self) -> bool:
        """False for DDL and the like (ResultKind.SUCCESS)."""
    @property
    def is_insert(self) -> bool: ...
    @property
    def job(self) -> Job | None: ...
    def columns(self) -> list[Column]: ...
    @property
    def is_query(self) -> bool: ...
    @property
    def is_text(self) -> bool:
        """One column of text that is shown without a frame: EXPLAIN, SHOW CREATE."""
    @property
    def shows_row_kinds(self) -> bool: ...
    def explain_silence(self) -> str:
        """Why no rows came, or ""."""
    def next_text(self, style: str, timeout_ms: int = -1) -> str | None:
        """The next piece of printed text, complete lines; None after the last, "" when nothing came in time. style "print": TableResult.print();
        "client": as Flink's SQL client (footers with times, batch widths from content); "changelog": one line a change with no frame."""
    def next_rows(self, limit: int, exact: bool = False, timeout_ms: int = -1) -> list[tuple[int, tuple[Any, ...]]] | None:
        """Some rows, waiting for the first: (row kind 0..3 as in RowKind, values). None after the last. Times are cut to
        milliseconds, as Flink's collect does, unless `exact`.

        Values: bool, int, float, str, bytearray, Decimal, date, time, datetime (naive for TIMESTAMP, UTC-aware for LTZ),
        timedelta (day-time interval), int (months of a year-month one), list, dict, tuple of values (ROW), None, or the
        Python object of an opaque column."""
    @property
    def is_arrow(self) -> bool:
        """Whether `next_arrow` can carry all columns: those of flat types."""
    def next_arrow(self, timeout_ms: int = -1) -> tuple[list[int] | None, object, object] | None:
        """As `next_rows`, by Arrow's C data interface: row kinds (None: all insertions), and the capsules of schema and array. Times are whole."""
    def next_texts(self, timeout_ms: int = -1) -> list[tuple[int, tuple[str, ...]]] | None:
        """As `next_rows`, with every value as the shell shows it: NULL as <NULL>, instants in the session's zone."""
    def wait(self, timeout_ms: int) -> bool:
        """Until the job ends or, for a query, the first row is there; False on time-out; < 0: no limit. Raises if the job failed."""
    def close(self) -> None:
        """Cancels the job of a query that still runs."""

class Job:
    @property
    def id(self) -> str:
        """32 hex digits."""
    @property
    def name(self) -> str: ...
    def status(self) -> str:
        """A name of JobStatus: "RUNNING", "FINISHED", "FAILED", "CANCELED", ..."""
    def cancel(self) -> None: ...
    def stop_with_savepoint(self, directory: str | None, drain: bool) -> str:
        """Waits; gives the savepoint's path."""
    def savepoint(self, directory: str | None) -> str: ...
    def wait(self, timeout_ms: int) -> bool:
        """Until the job ends, with a summary on stderr. Raises if it failed."""
    def settle(self) -> None:
        """Waits until all that the sources have now, and the timers that are due now, have been worked on: for tests."""
    def runtime_ms(self) -> int: ...
    def why_silent(self) -> str:
        """Why nothing came out so far, in one line, or ""."""
    def rows_out(self) -> int: ...
    def metrics(self) -> list[tuple[str, int, dict[str, int]]]:
        """(operator, subtask, values)"""
    def operators(self) -> list[dict[str, Any]]:
        """In the order of the plan: id, name, kind ("source", "operator", "sink"), parallelism, inputs (ids of the operators that feed it)."""
    def attach_tap(self, operator: int, capacity: int = 1000) -> None:
        """Keeps the last rows that leave each subtask of an operator (that reach a sink), until it is detached; over restarts too."""
    def detach_tap(self, operator: int) -> None: ...
    def read_tap(self, operator: int, cursor: Sequence[int] = (), limit: int = 1000) -> dict[str, Any]:
        """rows, next (the cursor for what comes then), missed (rows since the cursor that there was no room for).

        A row: id (its place in its source, "orders-0@17", or behind the operator that made it, "3.0@12"), kind ("+I", ...), row (text),
        split, position, event_time, watermark, operator, subtask, sequence, wall_time. Times in ms since 1970. At most `limit` of a subtask.
        """
    def list_state(
        self, operator: int, table: str | None = None, key: str | None = None, limit: int = 100, timeout_ms: int = 5000
    ) -> dict[str, Any]:
        """tables, asked and answered (numbers of subtasks; none are asked when the job does not run).

        A table: name, key_columns, fields, record_count, byte_size, next_event_timer, next_processing_timer, and at most `limit` records:
        subtask, key, namespace (the end of a window or slice), fields. `key`: the text of the key, or of one of its columns.
        """
    def summary(self) -> str:
        """One line: rows in and out, late, bad records, time."""

class RowBase:
    """What `Row` is made of: values by position, fields by name where there are names."""

    _fields: list[str]
    _values: list[Any]
    _from_dict: bool
    _row_kind: RowKind
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __contains__(self, item: object) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...

def set_row_class(row: type, insert_kind: object) -> None:
    """Tells the class of rows that are made here, and the kind that they have."""

class Function:
    """A Python function as the engine calls it."""

    name: str
    kind: str
    result_type: str
    def __init__(
        self,
        name: str,
        kind: str,
        instance: object,
        result_type: str,
        argument_types: Sequence[str] | None,
        deterministic: bool,
        vectorized: bool,
        arity: tuple[int, int],
        row_names: Sequence[str] | None = None,
    ) -> None:
        """kind: "scalar" | "async_scalar" | "table" | "aggregate" | "table_aggregate". `instance` has Flink's methods (open, eval,
        close, ...). `arity`: least and greatest number of arguments, -1 for any. With `row_names` it gets all arguments as one Row."""

Jobs = list[Job]

# Streams: the steps of a DataStream program, as relations
Traits = tuple[str, str, int | None, bool]
"""(name, uid or "", parallelism or None for the job's, may run on the thread of the step before)"""
StreamInput = tuple[Relation, str, int, int]
"""(relation, distribution, side output that is read or -1, number of the operator's input). distribution: "auto" | "forward" | "hash"
(by the key) | "rebalance" | "rescale" | "shuffle" | "broadcast" | "global" | "custom" (by the partition)"""
StreamOutput = str | tuple[Sequence[Column], str | None]
""""stream", "tag", "key", "partition": what the operator emits beside records; or the columns of a table and its row-time column"""

def stream_collection(session: Session, traits: Traits, records: list[Any]) -> Relation:
    """A stream of the objects of a list."""

def stream_sequence(session: Session, traits: Traits, first: int, last: int, splits: int) -> Relation:
    """A stream of the integers from first to last."""

def stream_connector(
    session: Session, traits: Traits, columns: Sequence[Column], metadata: Sequence[Column], options: dict[str, str], time_column: str
) -> Relation:
    """The table that a connector reads: the columns, then those of its metadata keys. `time_column` has the event time, or is ""."""

def stream_connectors_in_turn(
    session: Session, traits: Traits, parts: Sequence[tuple[Sequence[Column], Sequence[Column], dict[str, str], str]]
) -> Relation:
    """The rows of several connectors, one after the other; each part is what `stream_connector` takes. The columns are those of the
    first, then all metadata, NULL where a part does not have it."""

def stream_sequences_in_turn(session: Session, traits: Traits, parts: Sequence[tuple[int, int]], splits: int) -> Relation:
    """Several sequences, one after the other."""

def stream_operator(
    session: Session,
    traits: Traits,
    factory: Callable[[], Any],
    inputs: Sequence[StreamInput],
    output: StreamOutput,
    emitted: str = "insert",
    takes_changes: bool = False,
    primary_key: Sequence[int] = (),
) -> Relation:
    """An operator whose subtasks run the hosts that `factory` makes (thalweg.datastream.runtime.host). emitted: "insert" | "all" |
    "upsert", which needs a `primary_key` of columns."""

def stream_inserts(session: Session, inserts: Sequence[Insert]) -> list[Relation]:
    """INSERTs, to be executed as ends."""

def stream_connector_sink(
    session: Session, traits: Traits, rows: Relation, metadata: Sequence[str], partition_keys: Sequence[str], options: dict[str, str]
) -> Relation:
    """A connector that writes a table's rows, whose last columns are those of the metadata keys; to be executed as an end."""

def execute_streams(session: Session, ends: Sequence[Relation], collected: Relation | None, name: str) -> Result:
    """Starts one job of all steps that lead to `ends` and `collected`, whose rows the result has."""

def write_lines(lines: bytes, to_stderr: bool) -> None:
    """Writes whole lines to the process's standard output or error. They never mix with those that jobs write; OSError if it fails."""

def has_shape(records: list[Any], shape: str) -> bool:
    """Whether every record is None or has the shape: b, h, i, l (int of 1, 2, 4, 8 bytes), d (float), s (str), z (bool), o (anything), or
    shapes in parentheses for a tuple: "(si)"."""

class StreamContext:
    """What a host knows of its subtask; rows are those of the present call of process or on_timers."""

    @property
    def current_watermark(self) -> int:
        """Milliseconds; -2**63 before the first."""
    @property
    def subtask(self) -> int: ...
    @property
    def parallelism(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def task_name(self) -> str: ...
    @property
    def is_batch(self) -> bool: ...
    @property
    def config(self) -> dict[str, str]:
        """The session's settings."""
    @property
    def metric_group(self) -> Any:
        """A thalweg.metrics.local.LocalMetricGroup whose values the engine shows."""
    def now(self) -> int:
        """The clock, in milliseconds."""
    def emit(self, records: list[Any], rows: list[int] | None = None, extra: Any = None) -> None:
        """Sends records with the times of the rows they came from (None: row i for record i). extra: numbers of side outputs (one or a
        list), keys, partitions, or for tables the kinds of rows."""
    def emit_at(self, records: list[Any], timestamps: list[int | None] | int | None, extra: Any = None) -> None:
        """Sends records with their own times."""
    def timestamps(self) -> list[int | None]:
        """The times of the rows."""
    def kinds(self) -> list[int] | None:
        """The kinds of a table's rows; None where all are insertions."""
    def split(self) -> str | None:
        """The split of a source that all rows came from, in front of the first exchange."""
    def add_timer(self, domain: str, row: int, time: int) -> bool:
        """Sets a timer of the row's key, "event" or "processing"; False where there was one."""
    def add_event_timer(self, row: int, time: int) -> bool: ...
    def add_processing_timer(self, row: int, time: int) -> bool: ...
    def delete_timer(self, domain: str, row: int, time: int) -> bool:
        """Takes a timer back; False where there was none."""
    def operator_state(self, name: str) -> dict[Any, Any]:
        """A dict that checkpoints keep; only in open. After a restore: the union of all subtasks' dicts."""
    def emit_watermark(self, watermark: int) -> None: ...
    def emit_idle(self, idle: bool) -> None: ...
    def wake_at(self, ms: int) -> None:
        """Calls on_wake at that time, or earlier."""
    def counter(self, name: str, by: int) -> None: ...
    def gauge(self, name: str, value: int) -> None: ...

# Kafka, for the command-line tools (no session)
class KafkaTools:
    def __init__(self, properties: dict[str, str]) -> None:
        """`properties` are those of Kafka's Java clients; one that has no effect is refused when it would be used."""
    def create_topic(self, name: str, partitions: int, config: dict[str, str]) -> None: ...
    def delete_topic(self, name: str) -> None: ...
    def topics(self) -> list[tuple[str, int]]: ...
    def describe_topic(self, name: str) -> list[tuple[int, int, int, int]]:
        """(partition, leader, first offset, next offset)"""
    def produce(self, topic: str, key: bytes | None, value: bytes | None) -> None: ...
    def flush(self, timeout_ms: int) -> int: ...
    def consume(self, topic: str, from_beginning: bool, on_message: Callable[[int, int, int, bytes | None, bytes | None], bool]) -> None:
        """Calls on_message(partition, offset, timestamp, key, value) until it returns False."""
