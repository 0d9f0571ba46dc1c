#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

void parse_metadata(TokenCursor& cursor, ColumnDefinition& column) {
  column.kind = ColumnKind::kMetadata;
  if (cursor.accept("FROM")) {
    column.metadata_key = cursor.string_literal("a metadata key in quotes");
  }
  column.is_virtual = cursor.accept("VIRTUAL");
}

bool parse_enforced(TokenCursor& cursor) {
  if (cursor.accept_all({"NOT", "ENFORCED"})) {
    return false;
  }
  cursor.accept("ENFORCED");
  return true;
}

/// PRIMARY KEY [NOT ENFORCED] behind a column's type.
void parse_column_constraint(TokenCursor& cursor, ColumnDefinition& column) {
  const size_t first = cursor.index();
  if (cursor.accept("CONSTRAINT")) {
    cursor.name("a constraint's name");
  }
  if (cursor.accept_all({"PRIMARY", "KEY"})) {
    column.primary_key = true;
    if (parse_enforced(cursor)) {
      throw Error(
          ErrorCode::kValidation,
          "Flink doesn't support ENFORCED mode for PRIMARY KEY constraint. ENFORCED/NOT ENFORCED "
          "controls if the constraint checks are performed on the incoming/outgoing data. Flink "
          "does "
          "not own the data therefore the only supported mode is the NOT ENFORCED mode")
          .at(cursor.since(first))
          .hint("write PRIMARY KEY NOT ENFORCED");
    }
  } else if (cursor.accept("UNIQUE")) {
    throw Error(ErrorCode::kSqlUnsupported, "UNIQUE constraint is not supported yet")
        .at(cursor.since(first));
  }
}

void parse_comment(TokenCursor& cursor, std::optional<std::string>& comment) {
  if (cursor.accept("COMMENT")) {
    comment = cursor.string_literal("a comment in quotes");
  }
}

}  // namespace

ColumnDefinition parse_column_definition(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ColumnDefinition column;
  column.name = cursor.name("a column name");
  if (cursor.accept("AS")) {
    column.kind = ColumnKind::kComputed;
    column.expr = parse_expr(cursor);
  } else {
    const size_t type_first = cursor.index();
    if (cursor.at("INTERVAL")) {  // a type of expressions only
      cursor.unexpected("a column's type");
    }
    column.type = parse_nullable_type(cursor);
    column.type_position = cursor.since(type_first);
    if (cursor.accept("METADATA")) {
      parse_metadata(cursor, column);
    } else if (at_constraint(cursor)) {
      parse_column_constraint(cursor, column);
    }
  }
  parse_comment(cursor, column.comment);
  column.position = cursor.since(first);
  return column;
}

bool at_constraint(const TokenCursor& cursor) {
  return cursor.at_any({"CONSTRAINT", "PRIMARY", "UNIQUE"});
}

TableConstraint parse_constraint(TokenCursor& cursor) {
  const size_t first = cursor.index();
  TableConstraint constraint;
  if (cursor.accept("CONSTRAINT")) {
    constraint.name = cursor.name("a constraint's name");
  }
  constraint.unique = cursor.accept("UNIQUE");
  if (!constraint.unique) {
    cursor.expect_all({"PRIMARY", "KEY"});
  }
  constraint.columns = cursor.names_in_parens();
  constraint.enforced = parse_enforced(cursor);
  constraint.position = cursor.since(first);
  return constraint;
}

WatermarkDefinition parse_watermark(TokenCursor& cursor) {
  const size_t first = cursor.index();
  WatermarkDefinition watermark;
  cursor.expect_all({"WATERMARK", "FOR"});
  watermark.column = cursor.object_name("a column name");
  cursor.expect("AS");
  watermark.expr = parse_expr(cursor);
  watermark.position = cursor.since(first);
  return watermark;
}

Distribution parse_distribution(TokenCursor& cursor) {
  Distribution distribution;
  if (cursor.accept("BY")) {
    if (cursor.accept("HASH")) {
      distribution.kind = DistributionKind::kHash;
    } else if (cursor.accept("RANGE")) {
      distribution.kind = DistributionKind::kRange;
    }
    distribution.columns = cursor.names_in_parens();
  }
  if (cursor.accept("INTO")) {
    distribution.buckets = cursor.unsigned_int("a number of buckets");
    cursor.expect("BUCKETS");
  } else if (distribution.columns.empty()) {
    cursor.unexpected("BY or INTO");
  }
  return distribution;
}

Options parse_options(TokenCursor& cursor) {
  Options options;
  cursor.expect(TokenKind::kLeftParen, "(");
  if (cursor.accept(TokenKind::kRightParen)) {
    return options;
  }
  do {
    Option option;
    option.key_position = cursor.peek().position;
    option.key = cursor.string_literal("an option's key in quotes");
    cursor.expect(TokenKind::kEquals, "=");
    option.value_position = cursor.peek().position;
    option.value = cursor.string_literal("an option's value in quotes");
    options.push_back(std::move(option));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ", or )");
  return options;
}

std::vector<std::string> parse_option_keys(TokenCursor& cursor) {
  std::vector<std::string> keys;
  cursor.expect(TokenKind::kLeftParen, "(");
  do {
    keys.push_back(cursor.string_literal("an option's key in quotes"));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ")");
  return keys;
}

PartitionSpec parse_partition_spec(TokenCursor& cursor) {
  PartitionSpec spec;
  cursor.expect(TokenKind::kLeftParen, "(");
  do {
    PartitionSpecItem item;
    item.name = cursor.name("a partition column's name");
    if (cursor.accept(TokenKind::kEquals)) {
      item.value = parse_expr(cursor);
    }
    spec.push_back(std::move(item));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ")");
  return spec;
}

bool parse_if_exists(TokenCursor& cursor) {
  return cursor.accept_all({"IF", "EXISTS"});
}

bool parse_if_not_exists(TokenCursor& cursor) {
  return cursor.accept_all({"IF", "NOT", "EXISTS"});
}

}  // namespace thalweg::sql
