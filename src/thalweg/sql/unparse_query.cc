#include "thalweg/sql/unparse_writer.h"

namespace thalweg::sql {

namespace {

void write_body(Writer& writer, const QueryBody& body);

void write_grouping(Writer& writer, const std::vector<GroupingElement>& elements);

void write_grouping_element(Writer& writer, const GroupingElement& element) {
  switch (element.kind) {
    case GroupingKind::kExpr:
      write_expr_list(writer, element.exprs);
      return;
    case GroupingKind::kSet:
      writer << "(";
      write_expr_list(writer, element.exprs);
      writer << ")";
      return;
    case GroupingKind::kGroupingSets:
      writer << "GROUPING SETS(";
      break;
    case GroupingKind::kCube:
      writer << "CUBE(";
      break;
    case GroupingKind::kRollup:
      writer << "ROLLUP(";
      break;
  }
  write_grouping(writer, element.children);
  writer << ")";
}

void write_grouping(Writer& writer, const std::vector<GroupingElement>& elements) {
  std::string_view separator;
  for (const GroupingElement& element : elements) {
    writer << separator;
    write_grouping_element(writer, element);
    separator = ", ";
  }
}

void write_items(Writer& writer, const std::vector<SelectItem>& items) {
  std::string_view separator;
  for (const SelectItem& item : items) {
    writer << separator;
    const Star* star = if_a<Star>(item.expr);
    if (star != nullptr && writer.options.names != nullptr) {
      writer << writer.options.names->star(*star);
    } else {
      write_expr(writer, *item.expr);
    }
    if (item.alias) {
      writer << " AS " << quote_identifier(item.alias->text);
    }
    separator = ", ";
  }
}

void write_named_windows(Writer& writer, const std::vector<NamedWindow>& windows) {
  std::string_view separator = "\nWINDOW ";
  for (const NamedWindow& window : windows) {
    writer << separator << quote_identifier(window.name.text) << " AS ";
    write_window(writer, *window.spec);
    separator = ", ";
  }
}

void write_clause(Writer& writer, std::string_view word, const ExprPtr& condition) {
  if (condition) {
    writer << word;
    write_expr(writer, *condition);
  }
}

void write_select(Writer& writer, const Select& select) {
  if (writer.options.names != nullptr) {
    writer.options.names->enter(select);
  }
  writer << "SELECT ";
  write_hints(writer, select.hints);
  writer << (select.hints.empty() ? "" : " ");
  if (select.quantifier != SetQuantifier::kUnset) {
    writer << (select.quantifier == SetQuantifier::kDistinct ? "DISTINCT " : "ALL ");
  }
  write_items(writer, select.items);
  if (select.from) {
    writer << "\nFROM ";
    write_table_ref(writer, *select.from);
  }
  write_clause(writer, "\nWHERE ", select.where);
  if (!select.group_by.empty()) {
    writer << "\nGROUP BY ";
    write_grouping(writer, select.group_by);
  }
  write_clause(writer, "\nHAVING ", select.having);
  write_named_windows(writer, select.windows);
  write_clause(writer, "\nQUALIFY ", select.qualify);
  if (writer.options.names != nullptr) {
    writer.options.names->leave();
  }
}

void write_values(Writer& writer, const Values& values) {
  std::string_view separator = "VALUES ";
  for (const std::vector<ExprPtr>& row : values.rows) {
    writer << separator << "ROW(";
    write_expr_list(writer, row);
    writer << ")";
    separator = ",\n";
  }
}

/// INTERSECT binds tighter than UNION and EXCEPT; all associate to the left.
int precedence_of(const QueryBody& body) {
  const SetOperation* operation = if_a<SetOperation>(body);
  if (operation == nullptr) {
    return 3;
  }
  return operation->op == SetOp::kIntersect ? 2 : 1;
}

void write_operand(Writer& writer, const QueryBody& body, int precedence) {
  const bool parens = precedence_of(body) < precedence;
  writer << (parens ? "(" : "");
  write_body(writer, body);
  writer << (parens ? ")" : "");
}

void write_set_operation(Writer& writer, const SetOperation& operation) {
  constexpr std::string_view kWords[] = {"UNION", "INTERSECT", "EXCEPT"};
  const int precedence = precedence_of(operation);
  write_operand(writer, *operation.left, precedence);
  writer << "\n" << kWords[static_cast<size_t>(operation.op)] << (operation.all ? " ALL\n" : "\n");
  write_operand(writer, *operation.right, precedence + 1);
}

void write_body(Writer& writer, const QueryBody& body) {
  switch (body.kind) {
    case QueryBodyKind::kSelect:
      return write_select(writer, as<Select>(body));
    case QueryBodyKind::kValues:
      return write_values(writer, as<Values>(body));
    case QueryBodyKind::kSetOperation:
      return write_set_operation(writer, as<SetOperation>(body));
    case QueryBodyKind::kTable:
      writer << "TABLE " << unparse(as<ExplicitTable>(body).table);
      return;
    case QueryBodyKind::kNested:
      writer << "(";
      write_query(writer, *as<NestedQuery>(body).query);
      writer << ")";
      return;
  }
}

void write_with(Writer& writer, const std::vector<CommonTable>& tables) {
  std::string_view separator = "WITH ";
  for (const CommonTable& table : tables) {
    writer << separator << quote_identifier(table.name.text);
    if (!table.columns.empty()) {
      writer << " (";
      write_names(writer, table.columns);
      writer << ")";
    }
    writer << " AS (";
    write_query(writer, *table.query);
    writer << ")";
    separator = ", ";
  }
  writer << (tables.empty() ? "" : "\n");
}

}  // namespace

void write_hints(Writer& writer, const std::vector<Hint>& hints) {
  if (hints.empty()) {
    return;
  }
  writer << "/*+ ";
  std::string_view separator;
  for (const Hint& hint : hints) {
    writer << separator << quote_identifier(hint.name.text) << "(";
    std::string_view comma;
    for (const HintArgument& argument : hint.args) {
      writer << comma;
      if (!argument.key.empty()) {
        writer << quote_string(argument.key) << " = ";
      }
      writer << quote_string(argument.value);
      comma = ", ";
    }
    writer << ")";
    separator = ", ";
  }
  writer << " */";
}

void write_query(Writer& writer, const Query& query) {
  write_with(writer, query.with);
  write_body(writer, *query.body);
  if (!query.order_by.empty()) {
    writer << "\nORDER BY ";
    if (writer.options.names != nullptr) {
      writer.options.names->enter_other();
    }
    write_order(writer, query.order_by);
    if (writer.options.names != nullptr) {
      writer.options.names->leave();
    }
  }
  if (query.offset) {
    writer << "\nOFFSET ";
    write_expr(writer, *query.offset);
    writer << " ROWS";
  }
  if (query.fetch) {
    writer << "\nFETCH NEXT ";
    write_expr(writer, *query.fetch);
    writer << " ROWS ONLY";
  }
}

std::string unparse(const Query& query, const UnparseOptions& options) {
  Writer writer{.out = {}, .options = options};
  write_query(writer, query);
  return std::move(writer.out);
}

}  // namespace thalweg::sql
