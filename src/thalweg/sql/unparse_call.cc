#include <algorithm>
#include <array>

#include "thalweg/sql/unparse_writer.h"

namespace thalweg::sql {

namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return result;
}

std::string call_name(const Writer& writer, const ObjectName& name) {
  if (writer.options.function_name) {
    return writer.options.function_name(name);
  }
  return name.is_simple() ? upper(name.last()) : unparse(name);
}

void write_behaviour(Writer& writer,
                     JsonBehaviour behaviour,
                     const ExprPtr& value,
                     std::string_view when) {
  constexpr std::array<std::string_view, 9> kWords = {
      "", "NULL", "ERROR", "DEFAULT ", "EMPTY ARRAY", "EMPTY OBJECT", "TRUE", "FALSE", "UNKNOWN"};
  if (behaviour == JsonBehaviour::kUnset) {
    return;
  }
  writer << " " << kWords[static_cast<size_t>(behaviour)];
  if (value) {
    write_expr(writer, *value);
  }
  writer << when;
}

void write_json_clauses(Writer& writer, const JsonClauses& json) {
  constexpr std::array<std::string_view, 4> kWrappers = {"",
                                                         " WITHOUT ARRAY WRAPPER",
                                                         " WITH CONDITIONAL ARRAY WRAPPER",
                                                         " WITH UNCONDITIONAL ARRAY WRAPPER"};
  constexpr std::array<std::string_view, 3> kOnNull = {"", " NULL ON NULL", " ABSENT ON NULL"};
  if (json.returning) {
    writer << " RETURNING ";
    write_type(writer, *json.returning);
  }
  writer << kWrappers[static_cast<size_t>(json.wrapper)];
  write_behaviour(writer, json.on_empty, json.default_on_empty, " ON EMPTY");
  write_behaviour(writer, json.on_error, json.default_on_error, " ON ERROR");
  writer << kOnNull[static_cast<size_t>(json.on_null)];
}

/// JSON_OBJECT's pairs: KEY k VALUE v.
void write_json_pairs(Writer& writer, const std::vector<ExprPtr>& args) {
  for (size_t i = 0; i + 1 < args.size(); i += 2) {
    writer << (i == 0 ? "" : ", ") << "KEY ";
    write_expr(writer, *args[i]);
    writer << " VALUE ";
    write_expr(writer, *args[i + 1]);
  }
}

/// The words between the arguments of a special call, or nullptr.
const std::array<std::string_view, 3>* separators_of(std::string_view name,
                                                     const FunctionCall& call) {
  static constexpr std::array<std::string_view, 3> kFrom = {" FROM ", ", ", ", "};
  static constexpr std::array<std::string_view, 3> kTo = {" TO ", ", ", ", "};
  static constexpr std::array<std::string_view, 3> kIn = {" IN ", " FROM ", ", "};
  static constexpr std::array<std::string_view, 3> kSubstring = {" FROM ", " FOR ", ", "};
  static constexpr std::array<std::string_view, 3> kTrim = {" ", " FROM ", ", "};
  static constexpr std::array<std::string_view, 3> kOverlay = {" PLACING ", " FROM ", " FOR "};
  const bool unit_last = call.args.size() == 2 && call.args[1]->kind == ExprKind::kSymbol;
  if (name == "EXTRACT") {
    return &kFrom;
  }
  if ((name == "FLOOR" || name == "CEIL" || name == "CEILING") && unit_last) {
    return &kTo;
  }
  if (name == "POSITION") {
    return &kIn;
  }
  if (name == "SUBSTRING") {
    return &kSubstring;
  }
  if (name == "OVERLAY") {
    return &kOverlay;
  }
  return name == "TRIM" && call.args.size() == 3 ? &kTrim : nullptr;
}

void write_arguments(Writer& writer, const FunctionCall& call) {
  const std::string name = call.name.is_simple() ? upper(call.name.last()) : std::string();
  if (name == "JSON_OBJECT" || name == "JSON_OBJECTAGG") {
    write_json_pairs(writer, call.args);
    return;
  }
  const auto* separators = separators_of(name, call);
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (i > 0) {
      writer << (separators != nullptr && i <= separators->size() ? (*separators)[i - 1] : ", ");
    }
    write_expr(writer, *call.args[i]);
  }
}

void write_call_tail(Writer& writer, const FunctionCall& call) {
  if (!call.order_by.empty()) {
    writer << " WITHIN GROUP (ORDER BY ";
    write_order(writer, call.order_by);
    writer << ")";
  }
  if (call.ignore_nulls) {
    writer << (*call.ignore_nulls ? " IGNORE NULLS" : " RESPECT NULLS");
  }
  if (call.filter) {
    writer << " FILTER (WHERE ";
    write_expr(writer, *call.filter);
    writer << ")";
  }
  if (call.over) {
    writer << " OVER ";
    write_window(writer, *call.over);
  }
}

bool is_interval_product(const FunctionCall& call) {
  return call.name.is_simple() && call.name.last() == "INTERVAL" && call.args.size() == 2;
}

void write_interval_product(Writer& writer, const FunctionCall& call) {
  writer << "INTERVAL (";
  write_expr(writer, *call.args[0]);
  writer << ") ";
  write_expr(writer, *call.args[1]);
}

std::string_view bound_text(FrameBoundKind kind) {
  switch (kind) {
    case FrameBoundKind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case FrameBoundKind::kPreceding:
      return " PRECEDING";
    case FrameBoundKind::kCurrentRow:
      return "CURRENT ROW";
    case FrameBoundKind::kFollowing:
      return " FOLLOWING";
    case FrameBoundKind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
  }
  unreachable("frame bound");
}

void write_bound(Writer& writer, const FrameBound& bound) {
  if (bound.offset) {
    write_expr(writer, *bound.offset);
  }
  writer << bound_text(bound.kind);
}

}  // namespace

void write_call(Writer& writer, const FunctionCall& call) {
  if (is_interval_product(call)) {
    write_interval_product(writer, call);
    return;
  }
  writer << call_name(writer, call.name);
  if (call.niladic) {
    return;
  }
  writer << "(";
  if (call.quantifier != SetQuantifier::kUnset) {
    writer << (call.quantifier == SetQuantifier::kDistinct ? "DISTINCT " : "ALL ");
  }
  write_arguments(writer, call);
  if (call.json) {
    write_json_clauses(writer, *call.json);
  }
  writer << ")";
  write_call_tail(writer, call);
}

void write_window(Writer& writer, const WindowSpec& spec) {
  const bool only_name =
      spec.base && spec.partition_by.empty() && spec.order_by.empty() && !spec.frame;
  if (only_name) {
    writer << quote_identifier(spec.base->text);
    return;
  }
  writer << "(" << (spec.base ? quote_identifier(spec.base->text) : "");
  std::string_view separator = spec.base ? " " : "";
  if (!spec.partition_by.empty()) {
    writer << separator << "PARTITION BY ";
    write_expr_list(writer, spec.partition_by);
    separator = " ";
  }
  if (!spec.order_by.empty()) {
    writer << separator << "ORDER BY ";
    write_order(writer, spec.order_by);
    separator = " ";
  }
  if (spec.frame) {
    writer << separator
           << (spec.frame->unit == FrameUnit::kRows ? "ROWS BETWEEN " : "RANGE BETWEEN ");
    write_bound(writer, spec.frame->lower);
    writer << " AND ";
    write_bound(writer, spec.frame->upper);
  }
  writer << ")";
}

void write_order(Writer& writer, const std::vector<OrderItem>& items) {
  std::string_view separator;
  for (const OrderItem& item : items) {
    writer << separator;
    write_expr(writer, *item.expr);
    writer << (item.descending ? " DESC" : "");
    if (item.nulls_first) {
      writer << (*item.nulls_first ? " NULLS FIRST" : " NULLS LAST");
    }
    separator = ", ";
  }
}

}  // namespace thalweg::sql
