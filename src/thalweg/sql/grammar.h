#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "thalweg/sql/ast_ddl.h"
#include "thalweg/sql/ast_match.h"
#include "thalweg/sql/token_cursor.h"

// The parse functions of the grammar, for use inside this module. Each reads what its name says
// from the cursor, leaves the cursor behind it, and throws Error when the text does not fit.

namespace thalweg::sql {

/// A node that spans the tokens from `first` to the one read last.
template <typename T>
std::shared_ptr<T> make_node(const TokenCursor& cursor, size_t first) {
  auto node = std::make_shared<T>();
  node->position = cursor.since(first);
  return node;
}

// Expressions (expression_parser.cc)
ExprPtr parse_expr(TokenCursor& cursor);
/// Without comparisons and logic: for operands that a keyword such as AND, IN or FROM follows.
ExprPtr parse_additive(TokenCursor& cursor);
std::vector<ExprPtr> parse_expr_list(TokenCursor& cursor);

// Leaves and special forms
ExprPtr parse_primary(TokenCursor& cursor);
/// Null when no literal starts here.
ExprPtr parse_literal(TokenCursor& cursor);
ExprPtr parse_interval(TokenCursor& cursor);
IntervalQualifier parse_interval_qualifier(TokenCursor& cursor);
/// A time unit as an argument: a Symbol.
ExprPtr parse_time_unit_symbol(TokenCursor& cursor);
ExprPtr parse_cast(TokenCursor& cursor);
ExprPtr parse_case(TokenCursor& cursor);
ExprPtr parse_paren_expr(TokenCursor& cursor);

// Function calls (function_parser.cc, special_function_parser.cc, json_parser.cc)
bool at_function_call(const TokenCursor& cursor);
ExprPtr parse_function_call(TokenCursor& cursor);
/// A call in FROM: queries among its arguments become TableArgument nodes.
ExprPtr parse_table_function_call(TokenCursor& cursor);
/// The arguments of a call whose syntax is its own, after the opening parenthesis; false for an
/// ordinary call.
bool parse_special_arguments(TokenCursor& cursor, FunctionCall& call);
bool parse_json_arguments(TokenCursor& cursor, FunctionCall& call);

// Windows and order (window_parser.cc)
std::vector<OrderItem> parse_order_items(TokenCursor& cursor);
WindowSpecPtr parse_window_spec(TokenCursor& cursor);

// Data types (type_parser.cc)
DataType parse_type(TokenCursor& cursor);
/// With an optional NOT NULL or NULL after it.
DataType parse_nullable_type(TokenCursor& cursor);

// Queries (query_parser.cc, from_parser.cc, group_by_parser.cc, match_parser.cc)
bool at_query(const TokenCursor& cursor, size_t ahead = 0);
QueryPtr parse_query_expr(TokenCursor& cursor);
TableRefPtr parse_from(TokenCursor& cursor);
std::vector<GroupingElement> parse_group_by(TokenCursor& cursor);
/// After the word MATCH_RECOGNIZE.
std::shared_ptr<MatchRecognize> parse_match_recognize(TokenCursor& cursor, TableRefPtr input);
std::vector<Hint> parse_hints(TokenCursor& cursor);

// Statements (statement_parser.cc and the files named after what they parse)
std::shared_ptr<Statement> parse_any_statement(TokenCursor& cursor);
std::shared_ptr<Statement> parse_create(TokenCursor& cursor);
std::shared_ptr<Statement> parse_create_table(TokenCursor& cursor, bool or_replace, bool temporary);
std::shared_ptr<Statement> parse_create_materialized_table(TokenCursor& cursor, bool or_alter);
std::shared_ptr<Statement> parse_drop(TokenCursor& cursor);
std::shared_ptr<Statement> parse_alter(TokenCursor& cursor);
std::shared_ptr<Statement> parse_alter_table(TokenCursor& cursor);
std::shared_ptr<Statement> parse_show(TokenCursor& cursor);
std::shared_ptr<Statement> parse_describe(TokenCursor& cursor);
std::shared_ptr<Insert> parse_insert(TokenCursor& cursor);
std::shared_ptr<StatementSet> parse_statement_set_body(TokenCursor& cursor);
/// Null when the next word starts no session command.
std::shared_ptr<Statement> parse_session_statement(TokenCursor& cursor);

// Parts of definitions (definition_parser.cc)
ColumnDefinition parse_column_definition(TokenCursor& cursor);
bool at_constraint(const TokenCursor& cursor);
TableConstraint parse_constraint(TokenCursor& cursor);
WatermarkDefinition parse_watermark(TokenCursor& cursor);
Distribution parse_distribution(TokenCursor& cursor);
Options parse_options(TokenCursor& cursor);
std::vector<std::string> parse_option_keys(TokenCursor& cursor);
PartitionSpec parse_partition_spec(TokenCursor& cursor);
bool parse_if_exists(TokenCursor& cursor);
bool parse_if_not_exists(TokenCursor& cursor);

}  // namespace thalweg::sql
