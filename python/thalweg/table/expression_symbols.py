"""Keywords that expression methods take."""

from enum import Enum


class TimeIntervalUnit(Enum):
    """Units for `extract`, `floor` and `ceil`; the value is SQL's word."""

    YEAR = "YEAR"
    YEAR_TO_MONTH = "YEAR TO MONTH"
    QUARTER = "QUARTER"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"
    DAY_TO_HOUR = "DAY TO HOUR"
    DAY_TO_MINUTE = "DAY TO MINUTE"
    DAY_TO_SECOND = "DAY TO SECOND"
    HOUR = "HOUR"
    SECOND = "SECOND"
    HOUR_TO_MINUTE = "HOUR TO MINUTE"
    HOUR_TO_SECOND = "HOUR TO SECOND"
    MINUTE = "MINUTE"
    MINUTE_TO_SECOND = "MINUTE TO SECOND"


class TimePointUnit(Enum):
    """Units for `timestamp_diff`."""

    YEAR = "YEAR"
    MONTH = "MONTH"
    DAY = "DAY"
    HOUR = "HOUR"
    MINUTE = "MINUTE"
    SECOND = "SECOND"
    QUARTER = "QUARTER"
    WEEK = "WEEK"
    MILLISECOND = "MILLISECOND"
    MICROSECOND = "MICROSECOND"


class JsonType(Enum):
    """Kinds of JSON for `is_json`."""

    VALUE = "VALUE"
    SCALAR = "SCALAR"
    ARRAY = "ARRAY"
    OBJECT = "OBJECT"


class JsonExistsOnError(Enum):
    """What `json_exists` gives for a bad path."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"
    ERROR = "ERROR"


class JsonValueOnEmptyOrError(Enum):
    """What `json_value` gives where there is nothing, or no scalar."""

    NULL = "NULL"
    ERROR = "ERROR"
    DEFAULT = "DEFAULT"


class JsonQueryWrapper(Enum):
    """Whether `json_query` puts its result into an array."""

    WITHOUT_ARRAY = "WITHOUT"
    CONDITIONAL_ARRAY = "CONDITIONAL"
    UNCONDITIONAL_ARRAY = "UNCONDITIONAL"


class JsonQueryOnEmptyOrError(Enum):
    """What `json_query` gives where there is nothing, or an error."""

    NULL = "NULL"
    EMPTY_ARRAY = "EMPTY ARRAY"
    EMPTY_OBJECT = "EMPTY OBJECT"
    ERROR = "ERROR"


class JsonOnNull(Enum):
    """What a NULL becomes in a JSON object or array."""

    NULL = "NULL"
    ABSENT = "ABSENT"


_ALL = (
    TimeIntervalUnit, TimePointUnit, JsonType, JsonExistsOnError, JsonValueOnEmptyOrError, JsonQueryWrapper, JsonQueryOnEmptyOrError,
    JsonOnNull,
)  # fmt: skip
for _symbols in _ALL:
    _symbols.__module__ = "pyflink.table.expression"
