#include <doctest/doctest.h>

#include "thalweg/sql/parser.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::sql {
namespace {

template <typename T>
std::shared_ptr<const T> parse_as(std::string_view text) {
  CAPTURE(std::string(text));
  const StatementPtr statement = parse_statement(text);
  REQUIRE(statement->kind == T::kKind);
  return std::static_pointer_cast<const T>(statement);
}

TEST_CASE("CREATE TABLE with every kind of column") {
  const auto table = parse_as<CreateTable>(R"(CREATE TEMPORARY TABLE IF NOT EXISTS db.pk (
      id INT NOT NULL COMMENT 'the id', name STRING, c AS UPPER(name) COMMENT 'up',
      m BIGINT METADATA FROM 'timestamp' VIRTUAL, `partition` INT METADATA, ts TIMESTAMP_LTZ(3),
      CONSTRAINT k PRIMARY KEY (id, name) NOT ENFORCED, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
    COMMENT 'tab' DISTRIBUTED BY HASH(id) INTO 4 BUCKETS PARTITIONED BY (name) WITH ('connector'='kafka', 'topic'='x');)");
  CHECK(table->temporary);
  CHECK(table->if_not_exists);
  CHECK(table->name.dotted() == "db.pk");
  REQUIRE(table->columns.size() == 6);
  CHECK(table->columns[0].type == DataType::integer().not_null());
  CHECK(table->columns[0].comment == "the id");
  CHECK(unparse(*table->columns[2].expr) == "UPPER(`name`)");
  CHECK(table->columns[2].comment == "up");
  CHECK(table->columns[3].metadata_key == "timestamp");
  CHECK(table->columns[3].is_virtual);
  CHECK(table->columns[4].kind == ColumnKind::kMetadata);
  CHECK(table->constraints[0].columns.size() == 2);
  CHECK_FALSE(table->constraints[0].enforced);
  CHECK(unparse(*table->watermark->expr) == "`ts` - INTERVAL '5' SECOND");
  CHECK(table->distribution->buckets == 4);
  CHECK(table->partitioned_by[0].text == "name");
  CHECK(table->options[1].key == "topic");
}

TEST_CASE("CREATE TABLE LIKE and AS") {
  const auto like = parse_as<CreateTable>(
      "CREATE TABLE lk WITH ('topic'='z') LIKE pk (EXCLUDING PARTITIONS OVERWRITING OPTIONS)");
  CHECK(like->like->source.dotted() == "pk");
  CHECK(like->like->options[1].strategy == MergingStrategy::kOverwriting);
  const auto as_query =
      parse_as<CreateTable>("CREATE TABLE t (b, a) WITH ('k'='v') AS SELECT a, b FROM s");
  CHECK(as_query->column_order.size() == 2);
  CHECK(as_query->as_query != nullptr);
  CHECK_THROWS_AS(parse_statement("CREATE TABLE t (a, b) WITH ('k'='v')"), Error);
  CHECK(parse_as<CreateTable>("CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED) WITH ()")
            ->columns[0]
            .primary_key);
  CHECK_THROWS_AS(parse_statement("CREATE TABLE t (a INT PRIMARY KEY)"), Error);
}

TEST_CASE("views keep the text of their query") {
  const auto view =
      parse_as<CreateView>("CREATE TEMPORARY VIEW v (x) COMMENT 'c' AS  SELECT  a FROM t ;");
  CHECK(view->query_text == "SELECT  a FROM t");
  CHECK(view->columns[0].text == "x");
  CHECK(parse_as<AlterView>("ALTER VIEW v RENAME TO w")->new_name->dotted() == "w");
}

TEST_CASE("databases, catalogs, functions, models") {
  CHECK(parse_as<CreateDatabase>("CREATE DATABASE IF NOT EXISTS c.d COMMENT 'x' WITH ('k'='v')")
            ->options.size() == 1);
  CHECK(parse_as<CreateCatalog>("CREATE CATALOG c WITH ('type'='generic_in_memory')")->name.text ==
        "c");
  const auto function =
      parse_as<CreateFunction>("CREATE TEMPORARY SYSTEM FUNCTION f AS 'mod.func' LANGUAGE PYTHON");
  CHECK(function->system);
  CHECK(function->language == "PYTHON");
  CHECK(parse_as<CreateFunction>("CREATE FUNCTION f AS 'a.B' USING JAR '/x.jar'")
            ->using_resources[0]
            .path == "/x.jar");
  CHECK(parse_as<CreateModel>(
            "CREATE MODEL m INPUT (a STRING) OUTPUT (b DOUBLE) WITH ('provider'='x')")
            ->input.size() == 1);
  CHECK(parse_as<Drop>("DROP DATABASE IF EXISTS d CASCADE")->cascade);
  CHECK(parse_as<Drop>("DROP TEMPORARY VIEW v")->object == ObjectKind::kView);
  CHECK(parse_as<Drop>("DROP TEMPORARY SYSTEM FUNCTION f")->system);
}

TEST_CASE("ALTER TABLE") {
  const auto add = parse_as<AlterTable>(
      "ALTER TABLE t ADD (extra INT FIRST, y AS a + 1 AFTER a, PRIMARY KEY (a) NOT ENFORCED)");
  const auto& schema = std::get<AlterTableSchema>(add->action);
  CHECK(schema.columns[0].placement.first);
  CHECK(schema.columns[1].placement.after->text == "a");
  CHECK(schema.constraints.size() == 1);
  CHECK(std::get<AlterTableSchema>(
            parse_as<AlterTable>("ALTER TABLE t MODIFY a BIGINT COMMENT 'c'")->action)
            .modify);
  CHECK(std::get<AlterTableRenameColumn>(
            parse_as<AlterTable>("ALTER TABLE pk RENAME name TO nm")->action)
            .new_name.text == "nm");
  CHECK(std::get<AlterTableRename>(parse_as<AlterTable>("ALTER TABLE lk RENAME TO lk2")->action)
            .new_name.dotted() == "lk2");
  CHECK(std::get<AlterTableSet>(parse_as<AlterTable>("ALTER TABLE t SET ('a'='b')")->action)
            .options.size() == 1);
  CHECK(std::get<AlterTableReset>(parse_as<AlterTable>("ALTER TABLE t RESET ('a', 'b')")->action)
            .keys.size() == 2);
  CHECK(std::get<AlterTableDropColumns>(parse_as<AlterTable>("ALTER TABLE t DROP (a, b)")->action)
            .columns.size() == 2);
  CHECK(std::get<AlterTableDropPart>(parse_as<AlterTable>("ALTER TABLE t DROP PRIMARY KEY")->action)
            .part == DropPart::kPrimaryKey);
  CHECK(std::get<AlterTableDropPart>(parse_as<AlterTable>("ALTER TABLE t DROP WATERMARK")->action)
            .part == DropPart::kWatermark);
}

TEST_CASE("INSERT") {
  const auto insert = parse_as<Insert>(
      "INSERT OVERWRITE cat.db.t /*+ OPTIONS('a'='b') */ PARTITION (d = '2024', h) (x, r.f) SELECT "
      "1, 2");
  CHECK(insert->overwrite);
  CHECK(insert->hints[0].args[0].value == "b");
  CHECK(insert->partition.size() == 2);
  CHECK(insert->columns[1].dotted() == "r.f");
  CHECK(parse_as<Insert>("INSERT INTO t VALUES (1, DEFAULT)")->query != nullptr);
  CHECK(parse_as<Insert>("INSERT INTO t (SELECT 1)")->columns.empty());
  CHECK(parse_as<Insert>("INSERT INTO t SELECT 1 ON CONFLICT DO NOTHING")->on_conflict ==
        Insert::OnConflict::kNothing);
}

TEST_CASE("statement sets") {
  CHECK(parse_as<StatementSet>(
            "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END;")
            ->inserts.size() == 2);
  CHECK(
      parse_as<StatementSet>("BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END;")->inserts.size() ==
      1);
  parse_as<BeginStatementSet>("BEGIN STATEMENT SET;");
  parse_as<End>("END;");
}

TEST_CASE("EXPLAIN, COMPILE, EXECUTE") {
  CHECK(parse_as<Explain>("EXPLAIN CHANGELOG_MODE, JSON_EXECUTION_PLAN SELECT 1")->details.size() ==
        2);
  CHECK(parse_as<Explain>("EXPLAIN PLAN FOR INSERT INTO t SELECT 1")->statement->kind ==
        StatementKind::kInsert);
  CHECK(parse_as<Explain>("EXPLAIN STATEMENT SET BEGIN INSERT INTO t SELECT 1; END")
            ->statement->kind == StatementKind::kStatementSet);
  CHECK(parse_as<CompilePlan>("COMPILE PLAN 'p' IF NOT EXISTS FOR INSERT INTO t SELECT 1")
            ->if_not_exists);
  CHECK(parse_as<ExecutePlan>("EXECUTE PLAN 'p'")->path == "p");
  parse_as<QueryStatement>("EXECUTE SELECT 1");
}

TEST_CASE("SHOW and DESCRIBE") {
  const std::pair<std::string_view, ShowKind> cases[] = {
      {"SHOW CATALOGS", ShowKind::kCatalogs},
      {"SHOW CURRENT CATALOG", ShowKind::kCurrentCatalog},
      {"SHOW DATABASES FROM c LIKE 'd%'", ShowKind::kDatabases},
      {"SHOW CURRENT DATABASE", ShowKind::kCurrentDatabase},
      {"SHOW TABLES IN c.d NOT LIKE 'x'", ShowKind::kTables},
      {"SHOW VIEWS", ShowKind::kViews},
      {"SHOW MATERIALIZED TABLES", ShowKind::kMaterializedTables},
      {"SHOW COLUMNS FROM t LIKE 'b%'", ShowKind::kColumns},
      {"SHOW FUNCTIONS ILIKE 'j%'", ShowKind::kFunctions},
      {"SHOW USER FUNCTIONS", ShowKind::kUserFunctions},
      {"SHOW PROCEDURES", ShowKind::kProcedures},
      {"SHOW MODULES", ShowKind::kModules},
      {"SHOW FULL MODULES", ShowKind::kFullModules},
      {"SHOW PARTITIONS t PARTITION (d = '1')", ShowKind::kPartitions},
      {"SHOW CREATE TABLE a.b", ShowKind::kCreateTable},
      {"SHOW CREATE VIEW v", ShowKind::kCreateView},
      {"SHOW CREATE CATALOG c", ShowKind::kCreateCatalog},
      {"SHOW JARS", ShowKind::kJars},
      {"SHOW JOBS", ShowKind::kJobs},
      {"SHOW MODELS", ShowKind::kModels},
  };
  for (const auto& [text, kind] : cases) {
    CAPTURE(std::string(text));
    CHECK(parse_as<Show>(text)->show_kind == kind);
  }
  const auto tables = parse_as<Show>("SHOW TABLES IN c.d NOT LIKE 'x'");
  CHECK(tables->not_like);
  CHECK(tables->like == "x");
  CHECK(parse_as<Describe>("DESC EXTENDED t")->extended);
  CHECK(parse_as<Describe>("DESCRIBE DATABASE db1")->describe_kind == DescribeKind::kDatabase);
  CHECK(parse_as<Describe>("DESCRIBE CATALOG c")->describe_kind == DescribeKind::kCatalog);
  CHECK(parse_as<Describe>("DESCRIBE JOB 'abc'")->job_id == "abc");
}

TEST_CASE("the session") {
  CHECK(parse_as<Use>("USE CATALOG c")->catalog);
  CHECK_FALSE(parse_as<Use>("USE c.d")->catalog);
  CHECK(parse_as<UseModules>("USE MODULES core, hive")->modules.size() == 2);
  CHECK(parse_as<LoadModule>("LOAD MODULE hive WITH ('v'='3')")->options.size() == 1);
  CHECK(parse_as<UnloadModule>("UNLOAD MODULE hive")->name.text == "hive");
  CHECK(parse_as<Set>("SET 'a.b' = 'c'")->value == "c");
  const auto bare = parse_as<Set>("SET execution.runtime-mode = batch;");
  CHECK(bare->key == "execution.runtime-mode");
  CHECK(bare->value == "batch");
  CHECK(parse_as<Set>("SET")->key.empty());
  CHECK(parse_as<Reset>("RESET 'a.b'")->key == "a.b");
  CHECK(parse_as<Jar>("ADD JAR '/a.jar'")->path == "/a.jar");
  CHECK(parse_as<Jar>("REMOVE JAR '/a.jar'")->remove);
  const auto stop = parse_as<StopJob>("STOP JOB 'id' WITH SAVEPOINT WITH DRAIN");
  CHECK(stop->with_savepoint);
  CHECK(stop->with_drain);
  CHECK(parse_as<AnalyzeTable>("ANALYZE TABLE t COMPUTE STATISTICS FOR ALL COLUMNS")->all_columns);
  CHECK(parse_as<ClientCommand>("quit")->word == "QUIT");
}

TEST_CASE("UPDATE, DELETE, TRUNCATE, CALL") {
  CHECK(parse_as<Update>("UPDATE t SET a = 1, b = a + 1 WHERE c")->assignments.size() == 2);
  CHECK(parse_as<Delete>("DELETE FROM t WHERE a = 1")->where != nullptr);
  CHECK(parse_as<Truncate>("TRUNCATE TABLE t")->table.dotted() == "t");
  CHECK(parse_as<Call>("CALL sys.p(1)")->call != nullptr);
}

TEST_CASE("a misspelt keyword is guessed") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"SELCT 1", "SELECT"},
      {"SELECT a FORM t", "FROM"},
      {"SELECT a FROM t WERE b", "WHERE"},
      {"CREATE TABEL t (a INT)", "TABLE"},
      {"INSERTT INTO t SELECT 1", "INSERT"}};
  for (const auto& [text, keyword] : cases) {
    CAPTURE(std::string(text));
    try {
      parse_statement(text);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.hint_text().find(keyword) != std::string::npos);
    }
  }
}

TEST_CASE("several statements in one text") {
  CHECK(parse_statements(";SELECT 1;;SELECT 2; ").size() == 2);
  CHECK_THROWS_AS(parse_statement("SELECT 1; SELECT 2"), Error);
  CHECK_THROWS_AS(parse_statements("SELECT 1 SELECT 2"), Error);
  CHECK_THROWS_AS(parse_statement(""), Error);
  CHECK_THROWS_AS(parse_statement("FROBNICATE t"), Error);
  CHECK(parse_statements("SELECT 1;\nSELECT 2")[1]->position.line == 2);
}

}  // namespace
}  // namespace thalweg::sql
