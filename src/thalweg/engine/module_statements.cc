#include <algorithm>

#include "thalweg/engine/statements.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::engine {

namespace {

/// The only module there is: the built-in functions.
constexpr std::string_view kCore = "core";

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse(const std::string& what,
                         const std::string& cause,
                         SourcePosition position) {
  throw Error(ErrorCode::kValidation, fmt::format("Could not execute {}. {}", what, cause))
      .at(position);
}

std::string no_module(const std::string& name) {
  return fmt::format("No module with name '{}' exists", name);
}

}  // namespace

Result execute_load_module(SessionState& state, const sql::LoadModule& load) {
  const std::string& name = load.name.text;
  const std::string what = fmt::format("LOAD MODULE `{}`", name);
  if (contains(state.modules.loaded, name)) {
    refuse(what, fmt::format("A module with name '{}' already exists", name), load.position);
  }
  if (name != kCore) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Could not execute {}. Unable to create module '{}'.", what, name))
        .at(load.position)
        .hint("The module there is: core. Modules of Python's are added by load_module().");
  }
  state.modules.loaded.push_back(name);
  state.modules.used.push_back(name);
  return {};
}

Result execute_unload_module(SessionState& state, const sql::UnloadModule& unload) {
  const std::string& name = unload.name.text;
  if (!contains(state.modules.loaded, name)) {
    refuse("UNLOAD MODULE " + name, no_module(name), unload.position);
  }
  std::erase(state.modules.loaded, name);
  std::erase(state.modules.used, name);
  return {};
}

Result execute_use_modules(SessionState& state, const sql::UseModules& use) {
  std::vector<std::string> names;
  for (const sql::Identifier& module : use.modules) {
    names.push_back(module.text);
  }
  const std::string what = fmt::format("USE MODULES: [{}]", fmt::join(names, ", "));
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::count(names.begin(), names.end(), names[i]) > 1) {
      refuse(what, fmt::format("Module '{}' appears more than once", names[i]), use.position);
    }
    if (!contains(state.modules.loaded, names[i])) {
      refuse(what, no_module(names[i]), use.position);
    }
  }
  state.modules.used = std::move(names);
  return {};
}

Result show_modules(const SessionState& state) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : state.modules.used) {
    rows.push_back({name});
  }
  return text_listing({"module name"}, rows);
}

Result show_full_modules(const SessionState& state) {
  Result result{.kind = Result::Kind::kListing};
  result.schema = {{"module name", DataType::string()}, {"used", DataType::boolean()}};
  std::vector<ColumnBuilder> builders = make_builders(result.schema);
  const auto add = [&](const std::string& name, bool is_used) {
    builders[0].append_string(name);
    builders[1].append(static_cast<uint8_t>(is_used));
  };
  for (const std::string& name : state.modules.used) {
    add(name, true);
  }
  for (const std::string& name : state.modules.loaded) {
    if (!contains(state.modules.used, name)) {
      add(name, false);
    }
  }
  result.rows = make_static_rows(finish_batch(builders));
  return result;
}

}  // namespace thalweg::engine
