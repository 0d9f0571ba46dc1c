#include "thalweg/sql/operator_text.h"
#include "thalweg/sql/unparse_writer.h"

namespace thalweg::sql {

namespace {

/// Calls, columns and everything in brackets never need parentheses.
constexpr int kTightest = 200;
/// IN and quantified comparisons bind as LIKE and comparisons do.
constexpr int kInPrecedence = 32;
constexpr int kComparisonPrecedence = 30;

bool is_number(const Expr& expr) {
  const Literal* literal = if_a<Literal>(expr);
  return literal != nullptr && (literal->literal_kind == LiteralKind::kExactNumeric ||
                                literal->literal_kind == LiteralKind::kApproximateNumeric);
}

int precedence_of(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kOperator:
      return op_text(as<Operator>(expr).op).precedence;
    case ExprKind::kIn:
      return kInPrecedence;
    case ExprKind::kQuantified:
      return kComparisonPrecedence;
    default:
      return kTightest;
  }
}

void write_prefix(Writer& writer, const Operator& node, const OpText& op) {
  writer << op.text << (is_number(*node.operands[0]) ? "" : " ");
  write_expr(writer, *node.operands[0], op.precedence);
}

void write_operator(Writer& writer, const Operator& node) {
  const OpText& op = op_text(node.op);
  if (op.form == OpForm::kPrefix) {
    write_prefix(writer, node, op);
    return;
  }
  write_expr(writer, *node.operands[0], op.precedence);
  if (op.form == OpForm::kItem) {
    writer << "[";
    write_expr(writer, *node.operands[1]);
    writer << "]";
    return;
  }
  writer << " " << op.text;
  if (op.form == OpForm::kPostfix) {
    return;
  }
  writer << " ";
  write_expr(writer, *node.operands[1], op.precedence + 1);  // operators associate to the left
  if (node.operands.size() > 2) {
    writer << (op.form == OpForm::kRange ? " AND " : " ESCAPE ");
    write_expr(writer, *node.operands[2], op.precedence + 1);
  }
}

void write_members(Writer& writer, const std::vector<ExprPtr>& values, const QueryPtr& query) {
  writer << "(";
  if (query) {
    write_query(writer, *query);
  } else {
    write_expr_list(writer, values);
  }
  writer << ")";
}

void write_in(Writer& writer, const In& node) {
  write_expr(writer, *node.operand, kInPrecedence);
  writer << (node.negated ? " NOT IN " : " IN ");
  write_members(writer, node.values, node.query);
}

void write_quantified(Writer& writer, const Quantified& node) {
  write_expr(writer, *node.operand, kComparisonPrecedence);
  writer << " " << op_text(node.op).text << (node.all ? " ALL " : " SOME ");
  write_members(writer, node.values, node.query);
}

void write_cast(Writer& writer, const Cast& node) {
  writer << (node.is_try ? "TRY_CAST(" : "CAST(");
  write_expr(writer, *node.operand);
  writer << " AS ";
  write_type(writer, node.type);
  writer << ")";
}

void write_case(Writer& writer, const Case& node) {
  writer << "CASE";
  if (node.operand) {
    writer << " ";
    write_expr(writer, *node.operand);
  }
  for (const auto& [condition, result] : node.branches) {
    writer << " WHEN ";
    write_expr(writer, *condition);
    writer << " THEN ";
    write_expr(writer, *result);
  }
  writer << " ELSE ";
  if (node.otherwise) {
    write_expr(writer, *node.otherwise);
  } else {
    writer << "NULL";
  }
  writer << " END";
}

void write_map(Writer& writer, const MapExpr& node) {
  writer << "MAP[";
  std::string_view separator;
  for (const auto& [key, value] : node.entries) {
    writer << separator;
    write_expr(writer, *key);
    writer << ", ";
    write_expr(writer, *value);
    separator = ", ";
  }
  writer << "]";
}

void write_subquery(Writer& writer, const Subquery& node) {
  constexpr std::string_view kWords[] = {"", "ARRAY ", "MAP ", "MULTISET "};
  writer << kWords[static_cast<size_t>(node.subquery_kind)] << "(";
  write_query(writer, *node.query);
  writer << ")";
}

void write_table_argument(Writer& writer, const TableArgument& node) {
  if (node.query) {
    writer << "(";
    write_query(writer, *node.query);
    writer << ")";
  } else if (writer.options.names != nullptr) {
    writer << writer.options.names->whole_table(node.table);
  } else {
    writer << "TABLE " << unparse(node.table);
  }
  if (!node.partition_by.empty()) {
    writer << " PARTITION BY (";
    write_expr_list(writer, node.partition_by);
    writer << ")";
  }
  if (!node.order_by.empty()) {
    writer << " ORDER BY (";
    write_order(writer, node.order_by);
    writer << ")";
  }
}

void write_star(Writer& writer, const Star& star) {
  writer << unparse(star.qualifier) << (star.qualifier.parts.empty() ? "*" : ".*");
}

void write_field(Writer& writer, const FieldAccess& node) {
  write_expr(writer, *node.operand, op_text(Op::kItem).precedence);
  writer << "." << (node.star ? "*" : quote_identifier(node.field.text));
}

void write_constructor(Writer& writer,
                       std::string_view open,
                       const std::vector<ExprPtr>& items,
                       std::string_view close) {
  writer << open;
  write_expr_list(writer, items);
  writer << close;
}

void write_argument_kind(Writer& writer, const Expr& expr) {
  if (const auto* named = if_a<NamedArgument>(expr)) {
    writer << quote_identifier(named->name.text) << " => ";
    write_expr(writer, *named->value);
  } else if (const auto* descriptor = if_a<Descriptor>(expr)) {
    writer << "DESCRIPTOR(";
    write_names(writer, descriptor->columns);
    writer << ")";
  } else if (const auto* table = if_a<TableArgument>(expr)) {
    write_table_argument(writer, *table);
  } else if (const auto* model = if_a<ModelArgument>(expr)) {
    writer << "MODEL " << unparse(model->model);
  } else if (const auto* symbol = if_a<Symbol>(expr)) {
    writer << symbol->text;
  } else {
    writer << "DEFAULT";
  }
}

void write_bare(Writer& writer, const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return write_literal(writer, as<Literal>(expr));
    case ExprKind::kColumn:
      writer << (writer.options.names == nullptr
                     ? unparse(as<Column>(expr).name)
                     : writer.options.names->column(as<Column>(expr).name));
      return;
    case ExprKind::kStar:
      return write_star(writer, as<Star>(expr));
    case ExprKind::kOperator:
      return write_operator(writer, as<Operator>(expr));
    case ExprKind::kFunctionCall:
      return write_call(writer, as<FunctionCall>(expr));
    case ExprKind::kCast:
      return write_cast(writer, as<Cast>(expr));
    case ExprKind::kCase:
      return write_case(writer, as<Case>(expr));
    case ExprKind::kIn:
      return write_in(writer, as<In>(expr));
    case ExprKind::kExists:
      writer << "EXISTS (";
      write_query(writer, *as<Exists>(expr).query);
      writer << ")";
      return;
    case ExprKind::kSubquery:
      return write_subquery(writer, as<Subquery>(expr));
    case ExprKind::kQuantified:
      return write_quantified(writer, as<Quantified>(expr));
    case ExprKind::kFieldAccess:
      return write_field(writer, as<FieldAccess>(expr));
    case ExprKind::kArray:
      return write_constructor(writer, "ARRAY[", as<ArrayExpr>(expr).elements, "]");
    case ExprKind::kMap:
      return write_map(writer, as<MapExpr>(expr));
    case ExprKind::kRow:  // with its word, whether it was written or not, as in Calcite
      return write_constructor(writer, "ROW(", as<RowExpr>(expr).fields, ")");
    default:
      return write_argument_kind(writer, expr);
  }
}

}  // namespace

void write_expr(Writer& writer, const Expr& expr, int precedence) {
  const bool parens = precedence_of(expr) < precedence;
  writer << (parens ? "(" : "");
  write_bare(writer, expr);
  writer << (parens ? ")" : "");
}

void write_expr_list(Writer& writer, const std::vector<ExprPtr>& list) {
  std::string_view separator;
  for (const ExprPtr& expr : list) {
    writer << separator;
    write_expr(writer, *expr);
    separator = ", ";
  }
}

std::string unparse(const Expr& expr, const UnparseOptions& options) {
  Writer writer{.out = {}, .options = options};
  write_expr(writer, expr);
  return std::move(writer.out);
}

}  // namespace thalweg::sql
