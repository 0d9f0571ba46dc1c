#include "json_clauses.h"

#include <array>
#include <utility>

namespace thalweg::binding {

namespace {

using sql::JsonBehaviour;

constexpr std::array kBehaviours = {
    std::pair{std::string_view("NULL"), JsonBehaviour::kNull},
    std::pair{std::string_view("ERROR"), JsonBehaviour::kError},
    std::pair{std::string_view("DEFAULT"), JsonBehaviour::kDefault},
    std::pair{std::string_view("EMPTY ARRAY"), JsonBehaviour::kEmptyArray},
    std::pair{std::string_view("EMPTY OBJECT"), JsonBehaviour::kEmptyObject},
    std::pair{std::string_view("TRUE"), JsonBehaviour::kTrue},
    std::pair{std::string_view("FALSE"), JsonBehaviour::kFalse},
    std::pair{std::string_view("UNKNOWN"), JsonBehaviour::kUnknown},
};

JsonBehaviour behaviour_named(std::string_view name) {
  for (const auto& [text, behaviour] : kBehaviours) {
    if (text == name) {
      return behaviour;
    }
  }
  return JsonBehaviour::kUnset;
}

/// Whether `text` ends with `suffix`, which is then cut off.
bool cut_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) {
    return false;
  }
  text.remove_suffix(suffix.size());
  return true;
}

/// One symbol; whether a default follows it.
bool settle(std::string_view text, sql::JsonClauses& clauses) {
  if (cut_suffix(text, " ON EMPTY")) {
    clauses.on_empty = behaviour_named(text);
    return clauses.on_empty == JsonBehaviour::kDefault;
  }
  if (cut_suffix(text, " ON ERROR")) {
    clauses.on_error = behaviour_named(text);
    return clauses.on_error == JsonBehaviour::kDefault;
  }
  if (cut_suffix(text, " ON NULL")) {
    clauses.on_null = text == "ABSENT" ? sql::JsonOnNull::kAbsent : sql::JsonOnNull::kNull;
  } else if (cut_suffix(text, " WRAPPER")) {
    clauses.wrapper = text == "WITHOUT"       ? sql::JsonWrapper::kWithout
                      : text == "CONDITIONAL" ? sql::JsonWrapper::kConditional
                                              : sql::JsonWrapper::kUnconditional;
  }
  return false;
}

}  // namespace

void settle_json_clauses(sql::FunctionCall& call) {
  auto clauses = std::make_shared<sql::JsonClauses>();
  std::vector<sql::ExprPtr> plain;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const auto* symbol = sql::if_a<sql::Symbol>(call.args[i]);
    if (symbol == nullptr) {
      plain.push_back(call.args[i]);
    } else if (const auto* type = dynamic_cast<const TypeArgument*>(symbol)) {
      clauses->returning = type->type;
    } else if (settle(symbol->text, *clauses) && i + 1 < call.args.size()) {
      sql::ExprPtr& target =
          symbol->text.ends_with("EMPTY") ? clauses->default_on_empty : clauses->default_on_error;
      target = call.args[++i];
    }
  }
  call.args = std::move(plain);
  call.json = std::move(clauses);
}

}  // namespace thalweg::binding
