#include "expression_tree.h"

#include <nanobind/stl/string.h>

#include "call_names.h"
#include "json_clauses.h"
#include "literal_tree.h"
#include "thalweg/sql/ast_build.h"
#include "thalweg/sql/parser.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

using sql::ExprPtr;

std::string text_at(nb::handle tree, size_t index) {
  return nb::cast<std::string>(tree[index]);
}

/// CASE's operands: condition and value in turn, then the value of ELSE.
ExprPtr case_of(std::vector<ExprPtr> operands) {
  auto node = std::make_shared<sql::Case>();
  for (size_t i = 0; i + 1 < operands.size(); i += 2) {
    node->branches.emplace_back(operands[i], operands[i + 1]);
  }
  if (operands.size() % 2 == 1) {
    node->otherwise = operands.back();
  }
  return node;
}

ExprPtr in_of(std::vector<ExprPtr> operands) {
  auto node = std::make_shared<sql::In>();
  node->operand = operands.front();
  node->values.assign(operands.begin() + 1, operands.end());
  return node;
}

ExprPtr map_of(const std::vector<ExprPtr>& operands) {
  auto node = std::make_shared<sql::MapExpr>();
  for (size_t i = 0; i + 1 < operands.size(); i += 2) {
    node->entries.emplace_back(operands[i], operands[i + 1]);
  }
  return node;
}

ExprPtr field_of(const std::vector<ExprPtr>& operands) {
  const auto* name = sql::if_a<sql::Literal>(operands.at(1));
  if (name == nullptr || name->literal_kind != sql::LiteralKind::kString) {
    throw Error(ErrorCode::kNotSupported, "A field of a row is got by its name")
        .hint("write .get('name') instead of a position");
  }
  auto node = std::make_shared<sql::FieldAccess>();
  node->operand = operands.front();
  node->field = sql::Identifier(name->text);
  return node;
}

/// A copy of a function call, for DISTINCT, FILTER and OVER around it.
std::shared_ptr<sql::FunctionCall> copied_call(const ExprPtr& operand, std::string_view around) {
  const auto* call = sql::if_a<sql::FunctionCall>(operand);
  if (call == nullptr) {
    throw Error(ErrorCode::kValidation,
                fmt::format("{} stands around an aggregate function only", around));
  }
  return std::make_shared<sql::FunctionCall>(*call);
}

ExprPtr function_of(std::string name, std::vector<ExprPtr> operands) {
  auto node = std::make_shared<sql::FunctionCall>();
  node->niladic = operands.empty() && is_niladic(name);
  node->args = std::move(operands);
  const bool is_json = name.starts_with("JSON_") && name != "JSON_STRING" && name != "JSON_QUOTE" &&
                       name != "JSON_UNQUOTE";
  // Names with blanks or signs are ours; a user's function may be written as a path.
  node->name = name.find('.') != std::string::npos
                   ? sql::parse_object_name(name)
                   : sql::ObjectName({sql::Identifier(std::move(name))});
  if (is_json) {
    settle_json_clauses(*node);
  }
  return node;
}

/// AND and OR of any number of operands, from the left.
ExprPtr chain_of(std::string_view name, std::vector<ExprPtr> operands) {
  const auto op = operator_named(name, 2);
  ExprPtr chain = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    chain = sql::make_operator(*op, {chain, operands[i]});
  }
  return chain;
}

ExprPtr call_of(std::string name, std::vector<ExprPtr> operands) {
  if ((name == "AND" || name == "OR") && operands.size() > 2) {
    return chain_of(name, std::move(operands));
  }
  if (const auto op = operator_named(name, operands.size())) {
    return sql::make_operator(*op, std::move(operands));
  }
  if (name == "CASE") {
    return case_of(std::move(operands));
  }
  if (name == "IN") {
    return in_of(std::move(operands));
  }
  if (name == "MAP") {
    return map_of(operands);
  }
  if (name == ".") {
    return field_of(operands);
  }
  if (name == "ARRAY") {
    auto node = std::make_shared<sql::ArrayExpr>();
    node->elements = std::move(operands);
    return node;
  }
  if (name == "ROW") {
    auto node = std::make_shared<sql::RowExpr>();
    node->fields = std::move(operands);
    node->explicit_row = true;
    return node;
  }
  if (name == "DISTINCT") {
    auto call = copied_call(operands.at(0), "DISTINCT");
    call->quantifier = sql::SetQuantifier::kDistinct;
    return call;
  }
  if (name == "FILTER") {
    auto call = copied_call(operands.at(0), "FILTER");
    call->filter = operands.at(1);
    return call;
  }
  return function_of(std::move(name), std::move(operands));
}

sql::FrameBound bound_from(nb::handle bound, bool is_lower, SessionHandle& owner) {
  using sql::FrameBoundKind;
  if (nb::isinstance<nb::str>(bound)) {
    if (nb::cast<std::string>(bound) == "CURRENT") {
      return {FrameBoundKind::kCurrentRow, nullptr};
    }
    return {is_lower ? FrameBoundKind::kUnboundedPreceding : FrameBoundKind::kUnboundedFollowing,
            nullptr};
  }
  return {is_lower ? FrameBoundKind::kPreceding : FrameBoundKind::kFollowing,
          expression_from(bound, owner)};
}

/// ("over", operand, partition, order, mode, lower, upper)
ExprPtr over_from(nb::handle tree, SessionHandle& owner) {
  auto spec = std::make_shared<sql::WindowSpec>();
  spec->partition_by = expressions_from(tree[2], owner);
  spec->order_by = order_items_from(tree[3], owner);
  sql::WindowFrame frame;
  frame.unit = text_at(tree, 4) == "ROWS" ? sql::FrameUnit::kRows : sql::FrameUnit::kRange;
  frame.lower = bound_from(tree[5], true, owner);
  frame.upper = bound_from(tree[6], false, owner);
  spec->frame = frame;
  auto call = copied_call(expression_from(tree[1], owner), "OVER");
  call->over = std::move(spec);
  return call;
}

/// ("in_table", operand, relation): SQL's IN wants a query, so the relation gets a name in the
/// session.
ExprPtr in_table_from(nb::handle tree, SessionHandle& owner) {
  const auto& right = nb::cast<const RelationHandle&>(tree[2]);
  const std::string view = fmt::format("*anonymous_in${}*", ++owner.next_view);
  owner.session->create_view(quote_identifier(view), right.relation, true, false);
  auto node = std::make_shared<sql::In>();
  node->operand = expression_from(tree[1], owner);
  node->query = sql::parse_query("SELECT * FROM " + quote_identifier(view));
  return node;
}

ExprPtr typed_node(std::string_view kind, nb::handle tree, SessionHandle& owner) {
  if (kind == "cast" || kind == "try_cast") {
    return sql::make_cast(expression_from(tree[1], owner),
                          sql::parse_data_type(text_at(tree, 2)),
                          kind == "try_cast");
  }
  if (kind == "lit") {
    const std::string type = text_at(tree, 2);
    return literal_from(tree[1], type == "NULL" ? DataType::null() : sql::parse_data_type(type));
  }
  auto node = std::make_shared<TypeArgument>();
  node->type = sql::parse_data_type(text_at(tree, 1));
  return node;
}

ExprPtr argument_node(std::string_view kind, nb::handle tree, SessionHandle& owner) {
  if (kind == "descriptor") {
    auto node = std::make_shared<sql::Descriptor>();
    for (std::string& name : strings_from(tree[1])) {
      node->columns.emplace_back(std::move(name));
    }
    return node;
  }
  auto node = std::make_shared<sql::NamedArgument>();
  node->name = sql::Identifier(text_at(tree, 1));
  node->value = expression_from(tree[2], owner);
  return node;
}

}  // namespace

ExprPtr expression_from(nb::handle tree, SessionHandle& owner) {
  const std::string kind = text_at(tree, 0);
  if (kind == "col") {
    std::string name = text_at(tree, 1);
    return name == "*" ? sql::make_star() : sql::make_column(std::move(name));
  }
  if (kind == "call") {
    return call_of(text_at(tree, 1), expressions_from(tree[2], owner));
  }
  if (kind == "lit" || kind == "cast" || kind == "try_cast" || kind == "type") {
    return typed_node(kind, tree, owner);
  }
  if (kind == "interval") {
    return interval_from(
        text_at(tree, 1), text_at(tree, 2), tree[3].is_none() ? "" : text_at(tree, 3));
  }
  if (kind == "symbol") {
    return sql::make_symbol(text_at(tree, 1));
  }
  if (kind == "over") {
    return over_from(tree, owner);
  }
  if (kind == "in_table") {
    return in_table_from(tree, owner);
  }
  if (kind == "sql") {
    return sql::parse_expression(text_at(tree, 1));
  }
  if (kind == "descriptor" || kind == "named_arg") {
    return argument_node(kind, tree, owner);
  }
  if (kind == "as") {
    return expression_from(tree[1], owner);
  }
  if (kind == "python") {
    return sql::make_call(owner.inline_name(tree[1]), expressions_from(tree[2], owner));
  }
  throw Error(ErrorCode::kValidation,
              fmt::format("Unexpected expression: {}", nb::cast<std::string>(nb::repr(tree))));
}

std::vector<ExprPtr> expressions_from(nb::handle trees, SessionHandle& owner) {
  std::vector<ExprPtr> result;
  for (const nb::handle tree : trees) {
    result.push_back(expression_from(tree, owner));
  }
  return result;
}

std::vector<sql::SelectItem> select_items_from(nb::handle trees, SessionHandle& owner) {
  std::vector<sql::SelectItem> items;
  for (const nb::handle tree : trees) {
    sql::SelectItem item{expression_from(tree, owner)};
    if (text_at(tree, 0) == "as") {
      item.alias = sql::Identifier(text_at(tree[2], 0));
    }
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<sql::OrderItem> order_items_from(nb::handle trees, SessionHandle& owner) {
  std::vector<sql::OrderItem> items;
  for (const nb::handle tree : trees) {
    const std::string kind = text_at(tree, 0);
    const bool is_marked = kind == "asc" || kind == "desc";
    items.push_back(
        {expression_from(is_marked ? nb::handle(tree[1]) : tree, owner), kind == "desc"});
  }
  return items;
}

std::vector<std::string> strings_from(nb::handle names) {
  std::vector<std::string> result;
  for (const nb::handle name : names) {
    result.push_back(nb::cast<std::string>(name));
  }
  return result;
}

}  // namespace thalweg::binding
