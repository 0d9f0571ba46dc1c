"""Each expression of the Table API gives what the SQL beside it gives."""

from __future__ import annotations

from typing import Any

import pytest
from pyflink.table import DataTypes, EnvironmentSettings, Table, TableEnvironment
from pyflink.table import expression as kinds
from pyflink.table import expressions as x
from pyflink.table.expressions import col

ROW = """
SELECT CAST(7 AS INT) AS i, CAST(NULL AS INT) AS n, CAST(2.5 AS DOUBLE) AS d, CAST(0.5 AS DOUBLE) AS h, 'Hello World' AS s,
  '  pad  ' AS p, TRUE AS b, TIMESTAMP '2024-02-29 13:45:57.123' AS ts, DATE '2024-02-29' AS dt, TIME '13:45:57' AS tm,
  ARRAY[3, 1, 2, 3] AS arr, ARRAY[4, 3] AS more, MAP['k', 1, 'l', 2] AS mp, '{"a": {"b": [1, "x"]}, "c": "v"}' AS js,
  CAST(ROW(1, 'y') AS ROW<f INT, g STRING>) AS r, ARRAY['u', CAST(NULL AS STRING), 'v'] AS words, 'k1=v1,k2=v2' AS pairs,
  'http://u@host/path?q=1#f' AS url, x'48656c6c6f' AS bin, '2024-02-29' AS ds, '13:45:57' AS tms, '2024-02-29 13:45:57' AS tss
"""


@pytest.fixture(scope="module")
def environment() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    made.get_config().set_local_timezone("UTC")
    made.execute_sql(f"CREATE VIEW single AS {ROW}")
    made.execute_sql("CREATE VIEW several AS SELECT * FROM (VALUES (1, 2.0, 'a'), (2, 4.0, 'b'), (2, 9.0, 'c')) AS t(k, v, w)")
    return made


def only(table: Table) -> Any:
    with table.execute().collect() as rows:
        return [tuple(row) for row in rows]


def agree(environment: TableEnvironment, view: str, expression: kinds.Expression, sql: str) -> None:  # type: ignore[type-arg]
    expected = only(environment.sql_query(f"SELECT {sql} FROM {view}"))
    assert only(environment.from_path(view).select(expression)) == expected
    assert str(expression)


I, N, D, H, S, P, B = (col(name) for name in ["i", "n", "d", "h", "s", "p", "b"])  # noqa: E741 - the columns' names
TS, DT, TM, ARR, MORE, MP, JS = (col(name) for name in ["ts", "dt", "tm", "arr", "more", "mp", "js"])
R, WORDS, PAIRS, URL, BIN = (col(name) for name in ["r", "words", "pairs", "url", "bin"])

EMPTY_ARRAY, DEFAULT = kinds.JsonQueryOnEmptyOrError.EMPTY_ARRAY, kinds.JsonValueOnEmptyOrError.DEFAULT
NAMES = {**vars(kinds), **vars(x), **globals()}
"""What the texts below are read with."""

NUMBERS = {
    "I + 1": "i + 1",
    "1 + I": "1 + i",
    "I - 2": "i - 2",
    "10 - I": "10 - i",
    "I * 3": "i * 3",
    "2 * I": "2 * i",
    "I / 2": "i / 2",
    "20 / I": "20 / i",
    "I % 4": "i % 4",
    "15 % I": "15 % i",
    "I ** 2": "POWER(i, 2)",
    "2 ** I": "POWER(2, i)",
    "-I": "-i",
    "+I": "i",
    "I.plus(1)": "i + 1",
    "I.minus(1)": "i - 1",
    "I.times(2)": "i * 2",
    "I.divided_by(2)": "i / 2",
    "D.exp": "EXP(d)",
    "D.log10": "LOG10(d)",
    "D.log2": "LOG2(d)",
    "D.ln": "LN(d)",
    "D.log()": "LOG(d)",
    "D.log(2)": "LOG(2, d)",
    "H.cosh": "COSH(h)",
    "H.sinh": "SINH(h)",
    "H.sin": "SIN(h)",
    "H.cos": "COS(h)",
    "H.tan": "TAN(h)",
    "H.cot": "COT(h)",
    "H.asin": "ASIN(h)",
    "H.acos": "ACOS(h)",
    "H.atan": "ATAN(h)",
    "H.tanh": "TANH(h)",
    "H.degrees": "DEGREES(h)",
    "H.radians": "RADIANS(h)",
    "D.sqrt": "SQRT(d)",
    "(-I).abs": "ABS(-i)",
    "(-D).sign": "SIGN(-d)",
    "D.round(0)": "ROUND(d, 0)",
    "D.floor()": "FLOOR(d)",
    "D.ceil()": "CEIL(d)",
    "D.truncate(0)": "TRUNCATE(d, 0)",
    "D.truncate()": "TRUNCATE(d)",
    "I.bin": "BIN(i)",
    "I.hex": "HEX(i)",
    "S.hex": "HEX(s)",
    "x.pi()": "PI()",
    "x.e()": "E()",
    "x.atan2(D, H)": "ATAN2(d, h)",
    "x.negative(I)": "-i",
    "x.log(D)": "LOG(d)",
    "x.log(D, 2)": "LOG(2, d)",
    "x.rand(7)": "RAND(7)",
    "x.rand_integer(10, 7)": "RAND_INTEGER(7, 10)",
}

LOGIC = {
    "I == 7": "i = 7",
    "I != 7": "i <> 7",
    "I < 8": "i < 8",
    "I <= 7": "i <= 7",
    "I > 8": "i > 8",
    "I >= 7": "i >= 7",
    "B & (I > 1)": "b AND i > 1",
    "B | (I > 9)": "b OR i > 9",
    "True & B": "TRUE AND b",
    "False | B": "FALSE OR b",
    "~B": "NOT b",
    "I.between(1, 7)": "i BETWEEN 1 AND 7",
    "I.not_between(1, 7)": "i NOT BETWEEN 1 AND 7",
    "B.then(1, 2)": "CASE WHEN b THEN 1 ELSE 2 END",
    "N.if_null(5)": "IFNULL(n, 5)",
    "N.is_null": "n IS NULL",
    "N.is_not_null": "n IS NOT NULL",
    "B.is_true": "b IS TRUE",
    "B.is_false": "b IS FALSE",
    "B.is_not_true": "b IS NOT TRUE",
    "B.is_not_false": "b IS NOT FALSE",
    "I.in_(1, 7)": "i IN (1, 7)",
    "x.and_(B, I > 1, I < 9)": "b AND i > 1 AND i < 9",
    "x.or_(I > 9, B)": "i > 9 OR b",
    "x.not_(B)": "NOT b",
    "x.if_then_else(B, 1, 2)": "CASE WHEN b THEN 1 ELSE 2 END",
    "x.coalesce(N, I)": "COALESCE(n, i)",
    "x.null_of(DataTypes.INT())": "CAST(NULL AS INT)",
    "I.cast(DataTypes.STRING())": "CAST(i AS STRING)",
    "S.try_cast(DataTypes.INT())": "TRY_CAST(s AS INT)",
    "x.call_sql('i + 1')": "i + 1",
    "x.lit(3)": "3",
    "x.call('UPPER', S)": "UPPER(s)",
}

TEXTS = {
    "S.concat('!')": "s || '!'",
    "S.starts_with('He')": "STARTSWITH(s, 'He')",
    "S.ends_with('ld')": "ENDSWITH(s, 'ld')",
    "S.substring(7)": "SUBSTRING(s FROM 7)",
    "S.substring(1, 5)": "SUBSTRING(s FROM 1 FOR 5)",
    "S.substr(2, 3)": "SUBSTR(s, 2, 3)",
    "S.substr(2)": "SUBSTR(s, 2)",
    "P.trim()": "TRIM(p)",
    "P.trim_leading()": "TRIM(LEADING ' ' FROM p)",
    "P.trim_trailing()": "TRIM(TRAILING ' ' FROM p)",
    "S.trim('H')": "TRIM(BOTH 'H' FROM s)",
    "S.replace('o', '0')": "REPLACE(s, 'o', '0')",
    "S.translate('lo', 'LO')": "TRANSLATE(s, 'lo', 'LO')",
    "S.char_length": "CHAR_LENGTH(s)",
    "S.upper_case": "UPPER(s)",
    "S.lower_case": "LOWER(s)",
    "S.init_cap": "INITCAP(s)",
    "S.like('He%')": "s LIKE 'He%'",
    "S.like('He!%', '!')": "s LIKE 'He!%' ESCAPE '!'",
    "S.similar('[A-Z].*')": "s SIMILAR TO '[A-Z].*'",
    "lit('World').position(S)": "POSITION('World' IN s)",
    "S.lpad(13, '*')": "LPAD(s, 13, '*')",
    "S.rpad(13, '*')": "RPAD(s, 13, '*')",
    "S.overlay('XX', 2)": "OVERLAY(s PLACING 'XX' FROM 2)",
    "S.overlay('XX', 2, 4)": "OVERLAY(s PLACING 'XX' FROM 2 FOR 4)",
    "S.regexp('W.*d')": "REGEXP(s, 'W.*d')",
    "S.regexp_count('o')": "REGEXP_COUNT(s, 'o')",
    "S.regexp_replace('o+', '0')": "REGEXP_REPLACE(s, 'o+', '0')",
    "S.regexp_extract('(W)(.*)', 2)": "REGEXP_EXTRACT(s, '(W)(.*)', 2)",
    "S.regexp_extract('l+')": "REGEXP_EXTRACT(s, 'l+')",
    "S.regexp_extract_all('(l)', 1)": "REGEXP_EXTRACT_ALL(s, '(l)', 1)",
    "S.regexp_instr('o')": "REGEXP_INSTR(s, 'o')",
    "S.regexp_substr('l+')": "REGEXP_SUBSTR(s, 'l+')",
    "S.to_base64": "TO_BASE64(s)",
    "lit('SGk=').from_base64": "FROM_BASE64('SGk=')",
    "S.ascii": "ASCII(s)",
    "lit(65).chr": "CHR(65)",
    "S.encode('UTF-8')": "ENCODE(s, 'UTF-8')",
    "BIN.decode('UTF-8')": "DECODE(bin, 'UTF-8')",
    "S.left(3)": "LEFT(s, 3)",
    "S.right(3)": "RIGHT(s, 3)",
    "S.instr('o')": "INSTR(s, 'o')",
    "lit('o').locate(S)": "LOCATE('o', s)",
    "lit('o').locate(S, 6)": "LOCATE('o', s, 6)",
    "lit('a b').url_encode()": "URL_ENCODE('a b')",
    "lit('a+b').url_decode()": "URL_DECODE('a+b')",
    "URL.parse_url('HOST')": "PARSE_URL(url, 'HOST')",
    "URL.parse_url('QUERY', 'q')": "PARSE_URL(url, 'QUERY', 'q')",
    "lit('%d-%s').printf(I, S)": "PRINTF('%d-%s', i, s)",
    "P.ltrim()": "LTRIM(p)",
    "P.rtrim()": "RTRIM(p)",
    "P.btrim()": "BTRIM(p)",
    "P.btrim(' p')": "BTRIM(p, ' p')",
    "S.repeat(2)": "REPEAT(s, 2)",
    "S.reverse": "REVERSE(s)",
    "S.split_index(' ', 1)": "SPLIT_INDEX(s, ' ', 1)",
    "PAIRS.str_to_map()": "STR_TO_MAP(pairs)",
    "PAIRS.str_to_map(',', '=')": "STR_TO_MAP(pairs, ',', '=')",
    "lit(2).elt('a', 'b')": "ELT(2, 'a', 'b')",
    "S.split(' ')": "SPLIT(s, ' ')",
    "lit('48').unhex": "UNHEX('48')",
    "S.md5": "MD5(s)",
    "S.sha1": "SHA1(s)",
    "S.sha224": "SHA224(s)",
    "S.sha256": "SHA256(s)",
    "S.sha384": "SHA384(s)",
    "S.sha512": "SHA512(s)",
    "S.sha2(256)": "SHA2(s, 256)",
    "lit('1.2.3.4').inet_aton()": "INET_ATON('1.2.3.4')",
    "lit(16909060).inet_ntoa()": "INET_NTOA(16909060)",
    "x.concat(S, '!', '?')": "CONCAT(s, '!', '?')",
    "x.concat_ws('-', S, 'x')": "CONCAT_WS('-', s, 'x')",
}

TIMES = {
    "col('ds').to_date": "CAST(ds AS DATE)",
    "col('tms').to_time": "CAST(tms AS TIME)",
    "col('tss').to_timestamp": "CAST(tss AS TIMESTAMP(3))",
    "TS.extract(TimeIntervalUnit.YEAR)": "EXTRACT(YEAR FROM ts)",
    "DT.extract(TimeIntervalUnit.MONTH)": "EXTRACT(MONTH FROM dt)",
    "TS.floor(TimeIntervalUnit.HOUR)": "FLOOR(ts TO HOUR)",
    "TS.ceil(TimeIntervalUnit.MINUTE)": "CEIL(ts TO MINUTE)",
    "TS + lit(1).year": "ts + INTERVAL '1' YEAR",
    "TS + lit(2).years": "ts + INTERVAL '2' YEAR",
    "TS + lit(1).quarter": "ts + INTERVAL '3' MONTH",
    "TS + lit(2).quarters": "ts + INTERVAL '6' MONTH",
    "TS + lit(1).month": "ts + INTERVAL '1' MONTH",
    "TS + lit(2).months": "ts + INTERVAL '2' MONTH",
    "TS + lit(1).week": "ts + INTERVAL '7' DAY",
    "TS + lit(2).weeks": "ts + INTERVAL '14' DAY",
    "TS - lit(1).day": "ts - INTERVAL '1' DAY",
    "TS - lit(3).days": "ts - INTERVAL '3' DAY",
    "TS + lit(1).hour": "ts + INTERVAL '1' HOUR",
    "TS + lit(2).hours": "ts + INTERVAL '2' HOUR",
    "TS + lit(1).minute": "ts + INTERVAL '1' MINUTE",
    "TS + lit(2).minutes": "ts + INTERVAL '2' MINUTE",
    "TS + lit(1).second": "ts + INTERVAL '1' SECOND",
    "TS + lit(2).seconds": "ts + INTERVAL '2' SECOND",
    "TS + lit(1).milli": "ts + INTERVAL '0.001' SECOND",
    "TS + lit(5).millis": "ts + INTERVAL '0.005' SECOND",
    "x.to_date('2024-02-29')": "TO_DATE('2024-02-29')",
    "x.to_timestamp('2024-02-29 01:02:03')": "TO_TIMESTAMP('2024-02-29 01:02:03')",
    "x.to_timestamp('29.02.2024', 'dd.MM.yyyy')": "TO_TIMESTAMP('29.02.2024', 'dd.MM.yyyy')",
    "x.to_timestamp_ltz(1000, 3).cast(DataTypes.STRING())": "CAST(TO_TIMESTAMP_LTZ(1000, 3) AS STRING)",
    "x.date_format(TS, 'yyyy/MM')": "DATE_FORMAT(ts, 'yyyy/MM')",
    "x.timestamp_diff(TimePointUnit.HOUR, TS, TS + lit(2).days)": "TIMESTAMPDIFF(HOUR, ts, ts + INTERVAL '2' DAY)",
    "x.convert_tz('1970-01-01 00:00:00', 'UTC', 'Asia/Tokyo')": "CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'Asia/Tokyo')",
    "x.from_unixtime(44)": "FROM_UNIXTIME(44)",
    "x.from_unixtime(44, 'yyyy')": "FROM_UNIXTIME(44, 'yyyy')",
    "x.unix_timestamp('1970-01-01 00:01:00')": "UNIX_TIMESTAMP('1970-01-01 00:01:00')",
    "x.unix_timestamp('1970', 'yyyy')": "UNIX_TIMESTAMP('1970', 'yyyy')",
    "x.temporal_overlaps(TM, lit(2).hours, TM, lit(1).hour)": "(tm, INTERVAL '2' HOUR) OVERLAPS (tm, INTERVAL '1' HOUR)",
    "x.current_database()": "CURRENT_DATABASE()",
}

COLLECTIONS = {
    "R.get('g')": "r.g",
    "ARR.at(1)": "arr[1]",
    "ARR[2]": "arr[2]",
    "MP.at('k')": "mp['k']",
    "ARR.cardinality": "CARDINALITY(arr)",
    "x.array(5).element": "ELEMENT(ARRAY[5])",
    "ARR.array_append(9)": "ARRAY_APPEND(arr, 9)",
    "ARR.array_contains(2)": "ARRAY_CONTAINS(arr, 2)",
    "ARR.array_distinct()": "ARRAY_DISTINCT(arr)",
    "ARR.array_position(2)": "ARRAY_POSITION(arr, 2)",
    "ARR.array_prepend(9)": "ARRAY_PREPEND(arr, 9)",
    "ARR.array_remove(3)": "ARRAY_REMOVE(arr, 3)",
    "ARR.array_reverse()": "ARRAY_REVERSE(arr)",
    "ARR.array_slice(2, 3)": "ARRAY_SLICE(arr, 2, 3)",
    "ARR.array_slice(2)": "ARRAY_SLICE(arr, 2)",
    "ARR.array_sort()": "ARRAY_SORT(arr)",
    "ARR.array_sort(False)": "ARRAY_SORT(arr, FALSE)",
    "ARR.array_union(MORE)": "ARRAY_UNION(arr, more)",
    "ARR.array_concat(MORE, MORE)": "ARRAY_CONCAT(arr, more, more)",
    "ARR.array_max()": "ARRAY_MAX(arr)",
    "ARR.array_min()": "ARRAY_MIN(arr)",
    "WORDS.array_join('-')": "ARRAY_JOIN(words, '-')",
    "WORDS.array_join('-', '?')": "ARRAY_JOIN(words, '-', '?')",
    "ARR.array_except(MORE)": "ARRAY_EXCEPT(arr, more)",
    "ARR.array_intersect(MORE)": "ARRAY_INTERSECT(arr, more)",
    "MP.map_keys": "MAP_KEYS(mp)",
    "MP.map_values": "MAP_VALUES(mp)",
    "MP.map_entries": "MAP_ENTRIES(mp)",
    "MP.map_union(x.map_('z', 9))": "MAP_UNION(mp, MAP['z', 9])",
    "x.array(1, 2)": "ARRAY[1, 2]",
    "x.map_('a', 1)": "MAP['a', 1]",
    "x.row(1, 'a')": "ROW(1, 'a')",
    "x.map_from_arrays(x.array('a'), x.array(1))": "MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1])",
}

JSON = {
    "JS.is_json()": "js IS JSON",
    "JS.is_json(JsonType.ARRAY)": "js IS JSON ARRAY",
    "JS.json_exists('$.a.b')": "JSON_EXISTS(js, '$.a.b')",
    "JS.json_exists('$.z', JsonExistsOnError.TRUE)": "JSON_EXISTS(js, '$.z' TRUE ON ERROR)",
    "JS.json_value('$.c')": "JSON_VALUE(js, '$.c')",
    "JS.json_value('$.a.b[0]', DataTypes.INT())": "JSON_VALUE(js, '$.a.b[0]' RETURNING INT)",
    "JS.json_value('lax $.z', DataTypes.STRING(), DEFAULT, 'd')": "JSON_VALUE(js, 'lax $.z' RETURNING STRING DEFAULT 'd' ON EMPTY)",
    "JS.json_query('$.a')": "JSON_QUERY(js, '$.a')",
    "JS.json_query('$.a', JsonQueryWrapper.UNCONDITIONAL_ARRAY)": "JSON_QUERY(js, '$.a' WITH UNCONDITIONAL WRAPPER)",
    "JS.json_query('lax $.z', JsonQueryWrapper.WITHOUT_ARRAY, EMPTY_ARRAY)": "JSON_QUERY(js, 'lax $.z' EMPTY ARRAY ON EMPTY)",
    "S.json_quote()": "JSON_QUOTE(s)",
    "lit('\"q\"').json_unquote()": "JSON_UNQUOTE('\"q\"')",
    "x.json_string(I)": "JSON_STRING(i)",
    "x.json_object(JsonOnNull.NULL, 'k', I, 'n', N)": "JSON_OBJECT('k' VALUE i, 'n' VALUE n NULL ON NULL)",
    "x.json_object(JsonOnNull.ABSENT, 'n', N)": "JSON_OBJECT('n' VALUE n ABSENT ON NULL)",
    "x.json_array(JsonOnNull.ABSENT, I, N)": "JSON_ARRAY(i, n)",
    "x.json_array(JsonOnNull.NULL, I, N)": "JSON_ARRAY(i, n NULL ON NULL)",
    "x.json_array(JsonOnNull.ABSENT, x.json('[1]'))": "JSON_ARRAY(JSON('[1]'))",
}

AGGREGATES = {
    "col('k').sum": "SUM(k)",
    "col('k').sum0": "IFNULL(SUM(k), 0)",
    "col('k').min": "MIN(k)",
    "col('k').max": "MAX(k)",
    "col('k').count": "COUNT(k)",
    "col('v').avg": "AVG(v)",
    "col('w').first_value": "FIRST_VALUE(w)",
    "col('w').last_value": "LAST_VALUE(w)",
    "col('w').list_agg()": "LISTAGG(w)",
    "col('w').list_agg('-')": "LISTAGG(w, '-')",
    "col('v').stddev_pop": "STDDEV_POP(v)",
    "col('v').stddev_samp": "STDDEV_SAMP(v)",
    "col('v').var_pop": "VAR_POP(v)",
    "col('v').var_samp": "VAR_SAMP(v)",
    "col('k').collect": "COLLECT(k)",
    "col('w').array_agg": "ARRAY_AGG(w)",
    "col('k').count.distinct": "COUNT(DISTINCT k)",
    "col('k').percentile(0.5)": "PERCENTILE(k, 0.5)",
    "x.json_object_agg(JsonOnNull.NULL, col('w'), col('k'))": "JSON_OBJECTAGG(KEY w VALUE k NULL ON NULL)",
    "x.json_array_agg(JsonOnNull.ABSENT, col('k'))": "JSON_ARRAYAGG(k)",
}


@pytest.mark.parametrize(("text", "sql"), [pair for group in (NUMBERS, LOGIC, TEXTS, TIMES, COLLECTIONS, JSON) for pair in group.items()])
def test_expressions_of_one_row(environment: TableEnvironment, text: str, sql: str) -> None:
    agree(environment, "single", eval(text, NAMES), sql)


@pytest.mark.parametrize(("text", "sql"), list(AGGREGATES.items()))
def test_aggregates(environment: TableEnvironment, text: str, sql: str) -> None:
    agree(environment, "several", eval(text, NAMES), sql)


@pytest.mark.parametrize(
    "expression", [x.current_date(), x.current_time(), x.current_timestamp(), x.local_time(), x.local_timestamp(), x.uuid(), x.rand()]
)
def test_values_that_vary(environment: TableEnvironment, expression: Any) -> None:
    [(value,)] = only(environment.from_path("single").select(expression.cast(DataTypes.STRING())))
    assert value
