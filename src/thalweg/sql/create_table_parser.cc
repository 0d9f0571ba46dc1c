#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

/// The parts that CREATE TABLE and CREATE MATERIALIZED TABLE have in common.
struct TableParts {
  std::vector<ColumnDefinition>& columns;
  std::vector<Identifier>& column_order;
  std::vector<TableConstraint>& constraints;
  std::optional<WatermarkDefinition>& watermark;
};

template <typename Statement>
TableParts parts_of(Statement& statement) {
  return {statement.columns, statement.column_order, statement.constraints, statement.watermark};
}

void parse_watermark_once(TokenCursor& cursor, std::optional<WatermarkDefinition>& watermark) {
  const SourcePosition position = cursor.peek().position;
  if (watermark) {
    throw Error(ErrorCode::kSqlSyntax,
                "SQL parse failed. Multiple WATERMARK declarations are not supported yet.")
        .at(position);
  }
  watermark = parse_watermark(cursor);
}

void parse_element(TokenCursor& cursor, TableParts& parts) {
  if (cursor.at("WATERMARK")) {
    parse_watermark_once(cursor, parts.watermark);
  } else if (at_constraint(cursor)) {
    parts.constraints.push_back(parse_constraint(cursor));
  } else if (cursor.at_name() &&
             (cursor.at(TokenKind::kComma, 1) || cursor.at(TokenKind::kRightParen, 1))) {
    parts.column_order.push_back(cursor.name());
  } else {
    parts.columns.push_back(parse_column_definition(cursor));
  }
}

void parse_elements(TokenCursor& cursor, TableParts parts) {
  if (!cursor.accept(TokenKind::kLeftParen)) {
    return;
  }
  const size_t first = cursor.index();
  if (!cursor.at(TokenKind::kRightParen)) {
    do {
      parse_element(cursor, parts);
    } while (cursor.accept(TokenKind::kComma));
  }
  cursor.expect(TokenKind::kRightParen, ", or )");
  if (!parts.column_order.empty() && !parts.columns.empty()) {
    throw Error(ErrorCode::kSqlSyntax,
                "SQL parse failed. Columns identifiers without types in the schema are supported "
                "on CTAS/RTAS "
                "statements only, and not mixed with typed columns.")
        .at(cursor.since(first));
  }
}

template <typename Statement>
void parse_table_tail(TokenCursor& cursor, Statement& table) {
  if (cursor.accept("COMMENT")) {
    table.comment = cursor.string_literal("a comment in quotes");
  }
  if (cursor.accept("DISTRIBUTED")) {
    table.distribution = parse_distribution(cursor);
  }
  if (cursor.accept_all({"PARTITIONED", "BY"})) {
    table.partitioned_by = cursor.names_in_parens();
  }
  if (cursor.accept("WITH")) {
    table.options = parse_options(cursor);
  }
}

LikeFeature parse_like_feature(TokenCursor& cursor) {
  constexpr std::pair<std::string_view, LikeFeature> kFeatures[] = {
      {"ALL", LikeFeature::kAll},
      {"CONSTRAINTS", LikeFeature::kConstraints},
      {"DISTRIBUTION", LikeFeature::kDistribution},
      {"GENERATED", LikeFeature::kGenerated},
      {"METADATA", LikeFeature::kMetadata},
      {"OPTIONS", LikeFeature::kOptions},
      {"PARTITIONS", LikeFeature::kPartitions},
      {"WATERMARKS", LikeFeature::kWatermarks}};
  for (const auto& [word, feature] : kFeatures) {
    if (cursor.accept(word)) {
      return feature;
    }
  }
  cursor.unexpected(
      "ALL, CONSTRAINTS, DISTRIBUTION, GENERATED, METADATA, OPTIONS, PARTITIONS or WATERMARKS");
}

LikeOption parse_like_option(TokenCursor& cursor) {
  const size_t first = cursor.index();
  LikeOption option;
  if (cursor.accept("INCLUDING")) {
    option.strategy = MergingStrategy::kIncluding;
  } else if (cursor.accept("EXCLUDING")) {
    option.strategy = MergingStrategy::kExcluding;
  } else if (cursor.accept("OVERWRITING")) {
    option.strategy = MergingStrategy::kOverwriting;
  } else {
    cursor.unexpected("INCLUDING, EXCLUDING or OVERWRITING");
  }
  option.feature = parse_like_feature(cursor);
  option.position = cursor.since(first);
  return option;
}

TableLike parse_table_like(TokenCursor& cursor) {
  TableLike like;
  like.source = cursor.object_name("a table's name");
  if (cursor.accept(TokenKind::kLeftParen)) {
    while (!cursor.at(TokenKind::kRightParen)) {
      like.options.push_back(parse_like_option(cursor));
    }
    cursor.expect(TokenKind::kRightParen, ")");
  }
  return like;
}

/// Names without types belong to CREATE TABLE ... AS only.
void check_column_order(const CreateTable& table) {
  if (table.column_order.empty() || table.as_query) {
    return;
  }
  throw Error(ErrorCode::kSqlSyntax,
              "SQL parse failed. Columns identifiers without types in the schema are supported on "
              "CTAS/RTAS "
              "statements only.")
      .at(table.column_order[0].position)
      .hint("give the column `" + table.column_order[0].text + "` a type");
}

}  // namespace

std::shared_ptr<Statement> parse_create_table(TokenCursor& cursor,
                                              bool or_replace,
                                              bool temporary) {
  auto table = std::make_shared<CreateTable>();
  table->or_replace = or_replace;
  table->temporary = temporary;
  table->if_not_exists = parse_if_not_exists(cursor);
  table->name = cursor.object_name("a table's name");
  parse_elements(cursor, parts_of(*table));
  parse_table_tail(cursor, *table);
  if (cursor.accept("LIKE")) {
    table->like = parse_table_like(cursor);
  } else if (cursor.accept("AS")) {
    table->as_query = parse_query_expr(cursor);
  }
  check_column_order(*table);
  return table;
}

std::shared_ptr<Statement> parse_create_materialized_table(TokenCursor& cursor, bool or_alter) {
  auto table = std::make_shared<CreateMaterializedTable>();
  table->or_alter = or_alter;
  table->if_not_exists = parse_if_not_exists(cursor);
  table->name = cursor.object_name("a table's name");
  parse_elements(cursor, parts_of(*table));
  parse_table_tail(cursor, *table);
  if (cursor.accept("FRESHNESS")) {
    cursor.expect(TokenKind::kEquals, "=");
    table->freshness = parse_interval(cursor);
  }
  if (cursor.accept("REFRESH_MODE")) {
    cursor.expect(TokenKind::kEquals, "=");
    if (!cursor.at_any({"FULL", "CONTINUOUS"})) {
      cursor.unexpected("FULL or CONTINUOUS");
    }
    table->refresh_mode = cursor.next().keyword;
  }
  cursor.expect("AS");
  const size_t query_first = cursor.index();
  table->query = parse_query_expr(cursor);
  table->query_text = cursor.text_since(query_first);
  return table;
}

}  // namespace thalweg::sql
