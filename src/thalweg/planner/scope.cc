#include "thalweg/planner/scope.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/common/nearest_name.h"

namespace thalweg::planner {

namespace {

[[noreturn]] void refuse_ambiguous(const std::string& name,
                                   SourcePosition position,
                                   std::string hint) {
  throw Error(ErrorCode::kColumnNotFound, fmt::format("Column '{}' is ambiguous", name))
      .at(position)
      .hint(std::move(hint));
}

/// A subquery's columns may share a name, which then means none of them.
std::optional<size_t> find_field(const Schema& schema, const sql::Identifier& name) {
  std::optional<size_t> found;
  for (size_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name == name.text) {
      if (found) {
        refuse_ambiguous(name.text, name.position, "Give each column a name of its own with AS.");
      }
      found = i;
    }
  }
  return found;
}

/// True when the first `count` parts of `name` are the end of `path`.
bool names_path(const sql::ObjectName& name, size_t count, const std::vector<std::string>& path) {
  if (count > path.size()) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    if (name.parts[i].text != path[path.size() - count + i]) {
      return false;
    }
  }
  return true;
}

std::string dotted_prefix(const sql::ObjectName& name, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ".") + name.parts[i].text;
  }
  return text;
}

}  // namespace

void Scope::add(std::string alias, std::vector<std::string> path, Schema schema) {
  const auto width = static_cast<int32_t>(schema.size());
  tables_.push_back({std::move(alias), std::move(path), std::move(schema), column_count_, {}});
  tables_.back().hidden.resize(static_cast<size_t>(width), false);
  column_count_ += width;
}

const Scope::Table* Scope::find_table(const std::string& alias) const {
  for (const Table& table : tables_) {
    if (table.alias == alias) {
      return &table;
    }
  }
  return nullptr;
}

std::optional<Scope::Match> Scope::resolve_unqualified(const sql::ObjectName& name) const {
  std::optional<Match> match;
  for (const Table& table : tables_) {
    const std::optional<size_t> field = find_field(table.schema, name.parts[0]);
    if (!field || table.hidden[*field]) {
      continue;
    }
    if (match) {
      refuse_ambiguous(name.parts[0].text,
                       name.parts[0].position,
                       fmt::format("Say which table it belongs to, for example {}.{}.",
                                   table.alias,
                                   name.parts[0].text));
    }
    const auto column = ColumnIndex{table.first_column + static_cast<int32_t>(*field)};
    match = Match{column, table.schema[*field].type, 1};
  }
  return match;
}

std::optional<Scope::Match> Scope::resolve_qualified(const sql::ObjectName& name) const {
  for (size_t count = name.parts.size() - 1; count >= 1; --count) {
    for (const Table& table : tables_) {
      const bool by_alias = count == 1 && table.alias == name.parts[0].text;
      if (!by_alias && !(count > 1 && names_path(name, count, table.path))) {
        continue;
      }
      const std::optional<size_t> field = find_field(table.schema, name.parts[count]);
      if (field) {
        const auto column = ColumnIndex{table.first_column + static_cast<int32_t>(*field)};
        return Match{column, table.schema[*field].type, count + 1};
      }
      if (count == name.parts.size() - 1) {
        column_not_found(name.parts[count], &table);
      }
    }
  }
  return std::nullopt;
}

Scope::Match Scope::resolve(const sql::ObjectName& name) const {
  if (name.parts.size() == 1) {
    if (const std::optional<Match> match = resolve_unqualified(name)) {
      return *match;
    }
    column_not_found(name.parts[0], nullptr);
  }
  if (const std::optional<Match> match = resolve_qualified(name)) {
    return *match;
  }
  const std::optional<Match> nested = resolve_unqualified(name);
  if (nested && nested->type.kind() == TypeKind::kRow) {
    return *nested;
  }
  const size_t count = name.parts.size() - 1;
  sql::ObjectName table;
  table.parts.assign(name.parts.begin(), name.parts.begin() + static_cast<int64_t>(count));
  throw Error(ErrorCode::kTableNotFound, fmt::format("Table '{}' not found", table.dotted()))
      .at(table.position());
}

void Scope::require_distinct_names(const Table& table, SourcePosition position) {
  for (const Field& field : table.schema) {
    find_field(table.schema, sql::Identifier(field.name, position));
  }
}

const Scope::Table& Scope::resolve_table(const sql::ObjectName& qualifier) const {
  for (const Table& table : tables_) {
    const bool by_alias = qualifier.is_simple() && table.alias == qualifier.last();
    if (by_alias ||
        (!qualifier.is_simple() && names_path(qualifier, qualifier.parts.size(), table.path))) {
      return table;
    }
  }
  throw Error(
      ErrorCode::kTableNotFound,
      fmt::format("Unknown identifier '{}'", dotted_prefix(qualifier, qualifier.parts.size())))
      .at(qualifier.position());
}

void Scope::column_not_found(const sql::Identifier& name, const Table* table) const {
  std::vector<std::string> candidates;
  for (const Table& other : tables_) {
    if (table == nullptr || table == &other) {
      for (const Field& field : other.schema) {
        candidates.push_back(field.name);
      }
    }
  }
  const std::string message =
      table == nullptr
          ? fmt::format("Column '{}' not found in any table", name.text)
          : fmt::format("Column '{}' not found in table '{}'", name.text, table->alias);
  Error error(ErrorCode::kColumnNotFound, message);
  const std::string nearest = nearest_name(name.text, candidates);
  if (!nearest.empty()) {
    throw std::move(error).at(name.position).hint(fmt::format("Did you mean '{}'?", nearest));
  }
  throw std::move(error).at(name.position);
}

}  // namespace thalweg::planner
