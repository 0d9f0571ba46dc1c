#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

PlacedColumn parse_placed_column(TokenCursor& cursor) {
  PlacedColumn placed;
  placed.column = parse_column_definition(cursor);
  placed.placement.first = cursor.accept("FIRST");
  if (!placed.placement.first && cursor.accept("AFTER")) {
    placed.placement.after = cursor.name("a column name");
  }
  return placed;
}

void parse_schema_element(TokenCursor& cursor, AlterTableSchema& schema) {
  if (cursor.at("WATERMARK")) {
    schema.watermark = parse_watermark(cursor);
  } else if (at_constraint(cursor)) {
    schema.constraints.push_back(parse_constraint(cursor));
  } else {
    schema.columns.push_back(parse_placed_column(cursor));
  }
}

AlterTableSchema parse_schema(TokenCursor& cursor, bool modify) {
  AlterTableSchema schema;
  schema.modify = modify;
  if (cursor.accept("DISTRIBUTION") || cursor.accept("DISTRIBUTED")) {
    schema.distribution = parse_distribution(cursor);
    return schema;
  }
  if (!cursor.accept(TokenKind::kLeftParen)) {
    parse_schema_element(cursor, schema);
    return schema;
  }
  do {
    parse_schema_element(cursor, schema);
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ", or )");
  return schema;
}

AlterTableAction parse_add_partitions(TokenCursor& cursor) {
  AlterTableAddPartitions add;
  add.if_not_exists = parse_if_not_exists(cursor);
  do {
    AddedPartition partition;
    cursor.expect("PARTITION");
    partition.spec = parse_partition_spec(cursor);
    if (cursor.accept("WITH")) {
      partition.options = parse_options(cursor);
    }
    add.partitions.push_back(std::move(partition));
  } while (cursor.at("PARTITION") || cursor.accept(TokenKind::kComma));
  return add;
}

AlterTableAction parse_add(TokenCursor& cursor) {
  if (cursor.at("PARTITION") || cursor.at_all({"IF", "NOT", "EXISTS", "PARTITION"})) {
    return parse_add_partitions(cursor);
  }
  return parse_schema(cursor, false);
}

AlterTableAction parse_drop_partitions(TokenCursor& cursor) {
  AlterTableDropPartitions drop;
  drop.if_exists = parse_if_exists(cursor);
  do {
    cursor.expect("PARTITION");
    drop.partitions.push_back(parse_partition_spec(cursor));
  } while (cursor.accept(TokenKind::kComma));
  return drop;
}

AlterTableAction parse_drop_part(TokenCursor& cursor) {
  if (cursor.at("PARTITION") || cursor.at_all({"IF", "EXISTS", "PARTITION"})) {
    return parse_drop_partitions(cursor);
  }
  if (cursor.accept_all({"PRIMARY", "KEY"})) {
    return AlterTableDropPart{.part = DropPart::kPrimaryKey, .constraint = {}};
  }
  if (cursor.accept("CONSTRAINT")) {
    return AlterTableDropPart{.part = DropPart::kConstraint,
                              .constraint = cursor.name("a constraint's name")};
  }
  if (cursor.accept("WATERMARK")) {
    return AlterTableDropPart{.part = DropPart::kWatermark, .constraint = {}};
  }
  if (cursor.accept("DISTRIBUTION")) {
    return AlterTableDropPart{.part = DropPart::kDistribution, .constraint = {}};
  }
  AlterTableDropColumns columns;
  cursor.accept("COLUMN");
  if (!cursor.accept(TokenKind::kLeftParen)) {
    columns.columns.push_back(cursor.object_name("a column name"));
    return columns;
  }
  do {
    columns.columns.push_back(cursor.object_name("a column name"));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ")");
  return columns;
}

AlterTableAction parse_rename(TokenCursor& cursor) {
  if (cursor.accept("TO")) {
    return AlterTableRename{cursor.object_name("a table's name")};
  }
  AlterTableRenameColumn rename;
  rename.column = cursor.object_name("a column name or TO");
  cursor.expect("TO");
  rename.new_name = cursor.name("a column name");
  return rename;
}

AlterTableAction parse_partition_action(TokenCursor& cursor) {
  PartitionSpec partition = parse_partition_spec(cursor);
  if (cursor.accept("COMPACT")) {
    return AlterTableCompact{std::move(partition)};
  }
  cursor.expect("SET");
  return AlterTableSet{.partition = std::move(partition), .options = parse_options(cursor)};
}

AlterTableAction parse_action(TokenCursor& cursor) {
  if (cursor.accept("ADD")) {
    return parse_add(cursor);
  }
  if (cursor.accept("MODIFY")) {
    return parse_schema(cursor, true);
  }
  if (cursor.accept("DROP")) {
    return parse_drop_part(cursor);
  }
  if (cursor.accept("RENAME")) {
    return parse_rename(cursor);
  }
  if (cursor.accept("SET")) {
    return AlterTableSet{.partition = {}, .options = parse_options(cursor)};
  }
  if (cursor.accept("RESET")) {
    return AlterTableReset{parse_option_keys(cursor)};
  }
  if (cursor.accept("COMPACT")) {
    return AlterTableCompact{};
  }
  if (cursor.accept("PARTITION")) {
    return parse_partition_action(cursor);
  }
  cursor.unexpected("ADD, MODIFY, DROP, RENAME, SET or RESET");
}

}  // namespace

std::shared_ptr<Statement> parse_alter_table(TokenCursor& cursor) {
  auto alter = std::make_shared<AlterTable>();
  alter->if_exists = parse_if_exists(cursor);
  alter->name = cursor.object_name("a table's name");
  alter->action = parse_action(cursor);
  return alter;
}

}  // namespace thalweg::sql
