#pragma once

#include <string>
#include <string_view>

#include "thalweg/sql/ast_query.h"
#include "thalweg/sql/unparser.h"

// Inside the unparser: functions that append the text of a node to a Writer.

namespace thalweg::sql {

struct MatchRecognize;

struct Writer {
  std::string out;
  const UnparseOptions& options;

  Writer& operator<<(std::string_view text) {
    out += text;
    return *this;
  }
};

/// In parentheses when the expression binds looser than `precedence`.
void write_expr(Writer& writer, const Expr& expr, int precedence = 0);
void write_expr_list(Writer& writer, const std::vector<ExprPtr>& list);
void write_call(Writer& writer, const FunctionCall& call);
void write_literal(Writer& writer, const Literal& literal);
void write_qualifier(Writer& writer, const IntervalQualifier& qualifier);
void write_type(Writer& writer, const DataType& type);
void write_order(Writer& writer, const std::vector<OrderItem>& items);
void write_window(Writer& writer, const WindowSpec& spec);
void write_names(Writer& writer, const std::vector<Identifier>& names);
void write_query(Writer& writer, const Query& query);
void write_table_ref(Writer& writer, const TableRef& ref);
void write_hints(Writer& writer, const std::vector<Hint>& hints);
void write_match(Writer& writer, const MatchRecognize& match);

}  // namespace thalweg::sql
