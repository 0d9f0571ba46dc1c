#include "thalweg/catalog/show_create.h"

#include <doctest/doctest.h>

#include "thalweg/catalog/describe.h"
#include "thalweg/catalog/table_definition.h"
#include "thalweg/sql/parser.h"

namespace thalweg::catalog {
namespace {

/// The entry of a CREATE TABLE, with the resolution that the planner would give.
TableEntry entry_of(std::string_view text) {
  const CatalogManager catalogs;
  const sql::StatementPtr statement = sql::parse_statement(text);
  auto table =
      std::make_shared<CatalogTable>(define_table(sql::as<sql::CreateTable>(*statement), catalogs));
  for (const sql::ColumnDefinition& column : table->columns) {
    const bool computed = column.kind == sql::ColumnKind::kComputed;
    table->resolved.columns.push_back(
        {.name = column.name.text, .type = computed ? DataType::string() : column.type});
  }
  return {.path = {"default_catalog", "default_database", "lk"},
          .temporary = false,
          .object = CatalogTablePtr(table)};
}

constexpr std::string_view kTable =
    "CREATE TABLE lk (id INT NOT NULL COMMENT 'the id', name STRING, c AS UPPER(name), "
    "m BIGINT METADATA FROM 'timestamp' VIRTUAL, ts TIMESTAMP_LTZ(3), PRIMARY KEY (id) NOT "
    "ENFORCED, "
    "WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) COMMENT 'it''s' DISTRIBUTED BY HASH(id) INTO 4 "
    "BUCKETS "
    "PARTITIONED BY (name) WITH ('topic'='z', 'connector'='kafka')";

TEST_CASE("SHOW CREATE TABLE writes every clause, options sorted") {
  CHECK(show_create_table(entry_of(kTable)) ==
        R"(CREATE TABLE `default_catalog`.`default_database`.`lk` (
  `id` INT NOT NULL COMMENT 'the id',
  `name` VARCHAR(2147483647),
  `c` AS UPPER(`name`),
  `m` BIGINT METADATA FROM 'timestamp' VIRTUAL,
  `ts` TIMESTAMP(3) WITH LOCAL TIME ZONE,
  WATERMARK FOR `ts` AS `ts` - INTERVAL '5' SECOND,
  CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED
)
COMMENT 'it''s'
DISTRIBUTED BY HASH(`id`) INTO 4 BUCKETS
PARTITIONED BY (`name`)
WITH (
  'connector' = 'kafka',
  'topic' = 'z'
)
)");
}

TEST_CASE("what SHOW CREATE TABLE writes can be read again") {
  const std::string text = show_create_table(entry_of(kTable));
  CHECK(show_create_table(entry_of(text)) == text);
}

TEST_CASE("SHOW CREATE VIEW") {
  auto view = std::make_shared<CatalogView>();
  view->expanded_text = "SELECT `t`.`id`\nFROM `t` AS `t`";
  view->schema = {{.name = "id", .type = DataType::integer()},
                  {.name = "n", .type = DataType::string()}};
  const TableEntry entry = {
      .path = {"c", "d", "vv"}, .temporary = true, .object = CatalogViewPtr(view)};
  CHECK(show_create_view(entry) ==
        "CREATE TEMPORARY VIEW `c`.`d`.`vv` (\n  `id`,\n  `n`\n)\nAS SELECT `t`.`id`\nFROM `t` AS "
        "`t`\n");
  CHECK_THROWS_AS(show_create_table(entry), Error);
  CHECK_THROWS_AS(show_create_view(entry_of(kTable)), Error);
}

TEST_CASE("DESCRIBE") {
  const Description description = describe(entry_of(kTable));
  CHECK(description.has_comments);
  CHECK(description.rows[0].key == "PRI(id)");
  CHECK(description.rows[0].type == "INT");
  CHECK_FALSE(description.rows[0].nullable);
  CHECK(description.rows[0].comment == "the id");
  CHECK(description.rows[2].extras == "AS UPPER(`name`)");
  CHECK(description.rows[3].extras == "METADATA FROM 'timestamp' VIRTUAL");
  CHECK(description.rows[4].watermark == "`ts` - INTERVAL '5' SECOND");
  CHECK(description.rows[1].key.empty());
}

TEST_CASE("patterns of SHOW ... LIKE") {
  CHECK(matches_pattern("bid_id", "b%", false));
  CHECK(matches_pattern("abcabc", "%abc", false));
  CHECK(matches_pattern("abc", "a_c", false));
  CHECK(matches_pattern("a_c", "a\\_c", false));
  CHECK_FALSE(matches_pattern("abc", "a\\_c", false));
  CHECK_FALSE(matches_pattern("Bid", "b%", false));
  CHECK(matches_pattern("Bid", "b%", true));
  CHECK(matches_pattern("", "%", false));
  CHECK_FALSE(matches_pattern("abc", "", false));
  CHECK_FALSE(matches_pattern("abc", "%b", false));
  CHECK(matches_pattern("aaab", "%a%a%b", false));
  CHECK_FALSE(matches_pattern(std::string(200, 'a'), "%a%a%a%a%a%a%a%a%b", false));
}

}  // namespace
}  // namespace thalweg::catalog
