#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/relation_changelog.h"

namespace thalweg::planner {

namespace {

constexpr std::array<std::string_view, 4> kKindNames = {
    "INSERT", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE"};

struct Arguments {
  /// Null where the input is given by itself.
  const sql::TableArgument* input = nullptr;
  const sql::Descriptor* op = nullptr;
  const sql::MapExpr* mapping = nullptr;
};

[[noreturn]] void refuse(const std::string& name, SourcePosition position) {
  throw Error(ErrorCode::kTypeMismatch,
              fmt::format("Invalid arguments of {0}. It is called as {0}(input => TABLE t "
                          "[PARTITION BY k][, op => DESCRIPTOR(column)][, op_mapping => "
                          "MAP['...', '...', ...]])",
                          name))
      .at(position);
}

constexpr std::array<std::string_view, 3> kParameters = {"INPUT", "OP", "OP_MAPPING"};

/// `first`: the parameter of the first argument without a name.
Arguments arguments_of(const std::vector<sql::ExprPtr>& given,
                       size_t first,
                       const std::string& name,
                       SourcePosition call) {
  std::array<const sql::Expr*, kParameters.size()> values = {};
  for (size_t i = 0; i < given.size(); ++i) {
    size_t place = first + i;
    const sql::Expr* value = given[i].get();
    if (const auto* named = sql::if_a<sql::NamedArgument>(given[i])) {
      const std::string parameter = upper_case(named->name.text);
      place = static_cast<size_t>(std::ranges::find(kParameters, parameter) - kParameters.begin());
      value = named->value.get();
    }
    if (place < first || place >= values.size() || values[place] != nullptr) {
      refuse(name, given[i]->position);
    }
    values[place] = value->kind == sql::ExprKind::kDefault ? nullptr : value;
  }
  Arguments arguments;
  arguments.input = values[0] == nullptr ? nullptr : sql::if_a<sql::TableArgument>(*values[0]);
  arguments.op = values[1] == nullptr ? nullptr : sql::if_a<sql::Descriptor>(*values[1]);
  arguments.mapping = values[2] == nullptr ? nullptr : sql::if_a<sql::MapExpr>(*values[2]);
  const bool fits =
      (first > 0 || arguments.input != nullptr) &&
      (values[1] == nullptr || (arguments.op != nullptr && arguments.op->columns.size() == 1)) &&
      (values[2] == nullptr || arguments.mapping != nullptr);
  if (!fits) {
    refuse(name, call);
  }
  return arguments;
}

std::string text_of(const sql::ExprPtr& expr, const std::string& name) {
  const auto* literal = sql::if_a<sql::Literal>(expr);
  if (literal == nullptr || literal->literal_kind != sql::LiteralKind::kString) {
    refuse(name, expr->position);
  }
  return literal->text;
}

/// "c, r" as its parts.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      parts.back() += c;
    }
  }
  return parts;
}

RowKind kind_named(const std::string& word, const std::string& name, SourcePosition position) {
  const auto found = std::ranges::find(kKindNames, word);
  if (found == kKindNames.end()) {
    throw Error(ErrorCode::kValidation,
                fmt::format("Unknown change operation '{}' in the op_mapping of {}. Valid values "
                            "are: {}.",
                            word,
                            name,
                            fmt::join(kKindNames, ", ")))
        .at(position);
  }
  return static_cast<RowKind>(found - kKindNames.begin());
}

void read_mapping(const sql::MapExpr* mapping, ChangelogFunctionSpec& spec) {
  const std::string name(spec.name());
  if (mapping == nullptr) {
    for (size_t i = 0; i < kKindNames.size(); ++i) {
      if (spec.makes_table) {
        spec.kinds[std::string(kKindNames[i])] = static_cast<RowKind>(i);
      } else {
        spec.codes[i] = std::string(kKindNames[i]);
      }
    }
    return;
  }
  for (const auto& [key, value] : mapping->entries) {
    const std::string code = text_of(value, name);
    for (const std::string& part : parts_of(text_of(key, name))) {
      bool is_new = false;
      if (spec.makes_table) {
        is_new = spec.kinds.emplace(part, kind_named(code, name, value->position)).second;
      } else {
        auto& known = spec.codes[static_cast<size_t>(kind_named(part, name, key->position))];
        is_new = !std::exchange(known, code);
      }
      if (!is_new) {
        throw Error(ErrorCode::kValidation,
                    fmt::format("'{}' comes twice in the op_mapping of {}", part, name))
            .at(key->position);
      }
    }
  }
}

bool contains(const std::vector<ColumnIndex>& columns, size_t index) {
  return std::ranges::any_of(
      columns, [index](ColumnIndex column) { return static_cast<size_t>(column.value) == index; });
}

ColumnIndex find_code(const Schema& schema, const std::string& column, SourcePosition position) {
  for (size_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name != column) {
      continue;
    }
    if (!schema[i].type.is_character()) {
      throw Error(ErrorCode::kTypeMismatch,
                  fmt::format("The op column '{}' must be of STRING type, but was '{}'.",
                              column,
                              schema[i].type.to_string()))
          .at(position);
    }
    return {static_cast<int32_t>(i)};
  }
  throw Error(ErrorCode::kColumnNotFound,
              fmt::format("The op column '{}' does not exist in the input table.", column))
      .at(position);
}

/// The keys first, then the others.
std::vector<ColumnIndex> ordered_columns(const Schema& schema, const ChangelogFunctionSpec& spec) {
  std::vector<ColumnIndex> columns = spec.partition_keys;
  for (size_t i = 0; i < schema.size(); ++i) {
    if (!contains(spec.partition_keys, i) && static_cast<int32_t>(i) != spec.code.value) {
      columns.push_back({static_cast<int32_t>(i)});
    }
  }
  return columns;
}

/// The node of a call, whose keys are in `spec` already.
LogicalPtr changelog_node(ChangelogFunctionSpec spec,
                          const Arguments& arguments,
                          LogicalPtr input,
                          SourcePosition call) {
  const std::string code = arguments.op == nullptr ? "op" : arguments.op->columns.front().text;
  read_mapping(arguments.mapping, spec);
  if (spec.makes_table) {
    spec.code = find_code(input->schema, code, call);
  }
  spec.columns = ordered_columns(input->schema, spec);
  spec.code_position = spec.partition_keys.size();
  auto node = std::make_shared<LogicalChangelogFunction>();
  std::vector<std::string> names;
  for (const ColumnIndex column : spec.columns) {
    Field field = input->schema[static_cast<size_t>(column.value)];
    field.type = field.type.with_time_attribute(TimeAttribute::kNone);
    names.push_back(field.name);
    node->schema.push_back(std::move(field));
  }
  if (!spec.makes_table) {
    const auto position = static_cast<int64_t>(spec.code_position);
    node->schema.insert(node->schema.begin() + position, {code, DataType::string()});
    names.insert(names.begin() + position, code);
    names = make_unique(std::move(names));
    for (size_t i = 0; i < names.size(); ++i) {
      node->schema[i].name = names[i];
    }
  }
  node->spec = std::move(spec);
  node->inputs.push_back(std::move(input));
  return node;
}

}  // namespace

bool is_changelog_function(const sql::FunctionCall& call) {
  const std::string name = function_name(call);
  return call.name.is_simple() && (name == "TO_CHANGELOG" || name == "FROM_CHANGELOG");
}

LogicalPtr QueryBinder::bind_changelog_function(const sql::FunctionCall& call) {
  const std::string name = function_name(call);
  const Arguments arguments = arguments_of(call.args, 0, name, call.position);
  ChangelogFunctionSpec spec;
  spec.makes_table = name == "FROM_CHANGELOG";
  LogicalPtr input = bind_table_argument(*arguments.input, spec.partition_keys);
  return changelog_node(std::move(spec), arguments, std::move(input), call.position);
}

Relation with_changelog_function(const Relation& input,
                                 bool makes_table,
                                 const std::vector<sql::ExprPtr>& arguments) {
  ChangelogFunctionSpec spec;
  spec.makes_table = makes_table;
  const Arguments given = arguments_of(arguments, 1, std::string(spec.name()), {});
  return Relation::of_plan(changelog_node(std::move(spec), given, input.plan(), {}),
                           input.context());
}

}  // namespace thalweg::planner
