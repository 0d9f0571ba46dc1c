#include <array>
#include <map>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/expression_text.h"
#include "thalweg/planner/literal_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

namespace {

/// A window table-valued function: its parameters in order; those before `required` must be given.
struct Signature {
  std::string_view name;
  WindowKind kind;
  std::array<std::string_view, 5> parameters;
  size_t required;
  std::string_view form;
};

constexpr std::array<Signature, 4> kSignatures = {
    {{"TUMBLE",
      WindowKind::kTumble,
      {"DATA", "TIMECOL", "SIZE", "OFFSET", ""},
      3,
      "TUMBLE(TABLE table_name, DESCRIPTOR(timecol), datetime interval[, datetime interval])"},
     {"HOP",
      WindowKind::kHop,
      {"DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"},
      4,
      "HOP(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, datetime "
      "interval])"},
     {"CUMULATE",
      WindowKind::kCumulate,
      {"DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"},
      4,
      "CUMULATE(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, "
      "datetime interval])"},
     {"SESSION",
      WindowKind::kSession,
      {"DATA", "TIMECOL", "GAP", "", ""},
      3,
      "SESSION(TABLE table_name [PARTITION BY (, ...)], DESCRIPTOR(timecol), datetime interval)"}}};

const Signature* find_signature(const std::string& name) {
  for (const Signature& signature : kSignatures) {
    if (signature.name == name) {
      return &signature;
    }
  }
  return nullptr;
}

using Arguments = std::map<std::string_view, const sql::Expr*>;

[[noreturn]] void refuse(const Signature& signature, SourcePosition position) {
  throw Error(ErrorCode::kTypeMismatch,
              fmt::format("The arguments do not fit the window function {}", signature.form))
      .at(position);
}

std::string upper(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  }
  return text;
}

std::string_view find_parameter(const Signature& signature, const std::string& name) {
  for (const std::string_view parameter : signature.parameters) {
    if (!parameter.empty() && parameter == name) {
      return parameter;
    }
  }
  return {};
}

Arguments arguments_of(const sql::FunctionCall& call, const Signature& signature) {
  Arguments arguments;
  for (size_t i = 0; i < call.args.size(); ++i) {
    std::string_view parameter;
    const sql::Expr* value = call.args[i].get();
    if (const auto* named = sql::if_a<sql::NamedArgument>(call.args[i])) {
      parameter = find_parameter(signature, upper(named->name.text));
      value = named->value.get();
    } else if (i < signature.parameters.size()) {
      parameter = signature.parameters[i];
    }
    if (parameter.empty() || arguments.count(parameter) > 0) {
      refuse(signature, call.args[i]->position);
    }
    arguments[parameter] = value;
  }
  for (size_t i = 0; i < signature.required; ++i) {
    if (arguments.count(signature.parameters[i]) == 0) {
      refuse(signature, call.position);
    }
  }
  return arguments;
}

int64_t interval_argument(const Arguments& arguments,
                          std::string_view parameter,
                          const Signature& signature) {
  const auto found = arguments.find(parameter);
  if (found == arguments.end()) {
    return 0;
  }
  const auto* literal = sql::if_a<sql::Literal>(*found->second);
  if (literal == nullptr || literal->literal_kind != sql::LiteralKind::kInterval ||
      literal->interval.is_year_month()) {
    refuse(signature, found->second->position);
  }
  return interval_value(*literal);
}

ColumnIndex time_column(const sql::Expr& argument,
                        const Schema& schema,
                        const Signature& signature) {
  const auto* descriptor = sql::if_a<sql::Descriptor>(argument);
  if (descriptor == nullptr || descriptor->columns.size() != 1) {
    refuse(signature, argument.position);
  }
  Scope scope;
  scope.add("", {}, schema);
  sql::ObjectName name;
  name.parts.push_back(descriptor->columns.front());
  return scope.resolve(name).column;
}

void check_time_column(const DataType& type,
                       const Signature& signature,
                       bool is_batch,
                       SourcePosition position) {
  if (!type.is_timestamp() || type.precision() > 3) {
    throw Error(ErrorCode::kTypeMismatch,
                fmt::format("The window function {} requires the timecol to be TIMESTAMP or "
                            "TIMESTAMP_LTZ, but is {}.\nBesides, the timecol must be a time "
                            "attribute type in streaming mode.",
                            signature.form,
                            plan_type(type)))
        .at(position);
  }
  if (!is_batch && !type.is_time_attribute()) {
    throw Error(ErrorCode::kTypeMismatch,
                fmt::format("The window function {} requires the timecol is a time attribute type, "
                            "but is {}.",
                            signature.form,
                            plan_type(type)))
        .at(position)
        .hint("Declare a WATERMARK for the column, or use a column AS PROCTIME().");
  }
}

void check_sizes(const WindowSpec& spec, const Signature& signature, SourcePosition position) {
  const bool sliding = spec.kind == WindowKind::kHop || spec.kind == WindowKind::kCumulate;
  if (spec.size_ms <= 0 || (sliding && spec.slide_ms <= 0)) {
    throw Error(
        ErrorCode::kValidation,
        fmt::format("{} table function requires its intervals to be positive", signature.name))
        .at(position);
  }
  if (spec.kind == WindowKind::kTumble && std::abs(spec.offset_ms) >= spec.size_ms) {
    throw Error(ErrorCode::kValidation,
                fmt::format("TUMBLE table function parameters must satisfy abs(offset) < size, but "
                            "got size {} ms and offset {} ms.",
                            spec.size_ms,
                            spec.offset_ms))
        .at(position);
  }
}

}  // namespace

LogicalPtr QueryBinder::bind_table_argument(const sql::TableArgument& argument,
                                            std::vector<ColumnIndex>& partition_keys) {
  LogicalPtr plan;
  if (argument.query) {
    plan = bind(*argument.query);
  } else {
    const LogicalPtr* common = find_common_table(argument.table);
    plan = common != nullptr ? *common : bind_table(argument.table, {});
    plan = make_rename(plan, names_of(plan->schema));
  }
  Scope scope;
  scope.add(argument.query ? "" : argument.table.last(), {}, plan->schema);
  for (const sql::ExprPtr& key : argument.partition_by) {
    ExpressionBinder binder(context_, scope, "PARTITION BY");
    const expression::ExpressionPtr bound = binder.bind(*key);
    if (bound->kind != expression::ExpressionKind::kColumn) {
      throw Error(ErrorCode::kValidation, "PARTITION BY takes columns here").at(key->position);
    }
    partition_keys.push_back(bound->column);
  }
  return plan;
}

bool is_window_function(const sql::FunctionCall& call) {
  return find_signature(function_name(call)) != nullptr;
}

LogicalPtr QueryBinder::bind_window_function(const sql::FunctionCall& call) {
  const std::string name = function_name(call);
  const Signature* signature = find_signature(name);
  if (signature == nullptr) {
    throw Error(ErrorCode::kFunctionNotFound,
                fmt::format("No match found for function signature {}", name))
        .at(call.position)
        .hint("The table functions are TUMBLE, HOP, CUMULATE and SESSION.");
  }
  const Arguments arguments = arguments_of(call, *signature);
  const auto* data = sql::if_a<sql::TableArgument>(*arguments.at("DATA"));
  if (data == nullptr) {
    refuse(*signature, arguments.at("DATA")->position);
  }
  auto node = std::make_shared<LogicalWindowFunction>();
  LogicalPtr input = bind_table_argument(*data, node->partition_keys);
  const sql::Expr& time = *arguments.at("TIMECOL");
  WindowSpec& spec = node->window;
  spec.kind = signature->kind;
  spec.time_column = time_column(time, input->schema, *signature);
  const DataType& type = input->schema[static_cast<size_t>(spec.time_column.value)].type;
  check_time_column(type, *signature, context_.is_batch(), time.position);
  spec.size_ms =
      interval_argument(arguments, spec.kind == WindowKind::kSession ? "GAP" : "SIZE", *signature);
  spec.slide_ms = interval_argument(
      arguments, spec.kind == WindowKind::kCumulate ? "STEP" : "SLIDE", *signature);
  spec.offset_ms = interval_argument(arguments, "OFFSET", *signature);
  check_sizes(spec, *signature, call.position);
  for (size_t i = 2; i < signature->parameters.size(); ++i) {
    const auto interval = arguments.find(signature->parameters[i]);
    if (interval != arguments.end()) {
      const expression::ExpressionPtr bound =
          bind_literal(sql::as<sql::Literal>(*interval->second));
      node->interval_texts.push_back(expression_text(*bound, {}, PlanStyle::kAst));
    }
  }
  spec.is_row_time = type.time_attribute() != TimeAttribute::kProcessingTime;
  spec.uses_session_zone = type.kind() == TypeKind::kTimestampLtz;
  node->schema = input->schema;
  const DataType bound = DataType::timestamp(3).not_null();
  node->schema.push_back({"window_start", bound});
  node->schema.push_back({"window_end", bound});
  node->schema.push_back({"window_time", type.not_null()});
  node->inputs.push_back(std::move(input));
  return node;
}

}  // namespace thalweg::planner
