#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/common/error.h"
#include "thalweg/planner/planner.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::planner {

namespace {

/// Writes names as Calcite's validator leaves them in the tree: columns behind their table's
/// alias, tables by their path, a generated alias for what has none. Names that it cannot resolve
/// (those of WITH tables) stay as they are. Made for one query.
class ExpandedNames final : public sql::NameExpansion {
 public:
  explicit ExpandedNames(const PlannerContext& context) : context_(context) {}

  void enter(const sql::Select& select) override {
    std::optional<Scope>& scope = scopes_.emplace_back();
    if (select.from == nullptr) {
      return;
    }
    try {
      scope = QueryBinder(context_).scope_of(*select.from);
    } catch (const Error&) {
      scope.reset();
    }
    std::vector<const sql::TableRef*> leaves;
    collect_leaves(*select.from, leaves);
    const bool fits = scope && scope->tables().size() == leaves.size();
    for (size_t i = 0; i < leaves.size(); ++i) {
      const std::string alias = name_leaf(*leaves[i]);
      if (fits && scope->tables()[i].alias.empty()) {
        scope->mutable_tables()[i].alias = alias;
      }
    }
  }

  void enter_other() override { scopes_.emplace_back(); }

  void leave() override { scopes_.pop_back(); }

  std::string column(const sql::ObjectName& name) override {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (!*scope) {
        continue;
      }
      try {
        return column_text(**scope, name);
      } catch (const Error&) {
        continue;  // a name of the query around
      }
    }
    return sql::unparse(name);
  }

  std::string star(const sql::Star& star) override {
    std::string text;
    if (!scopes_.empty() && scopes_.back()) {
      for (const Scope::Table& table : scopes_.back()->tables()) {
        const bool wanted = star.qualifier.parts.empty() || star.qualifier.last() == table.alias;
        text += wanted ? (text.empty() ? "" : ", ") + columns_of(table) : std::string();
      }
    }
    if (!text.empty()) {
      return text;
    }
    return star.qualifier.parts.empty() ? "*" : sql::unparse(star.qualifier) + ".*";
  }

  std::string table(const sql::ObjectName& name) override {
    const auto entry = context_.catalogs.find(name);
    return entry ? entry->path.quoted() : sql::unparse(name);
  }

  std::string whole_table(const sql::ObjectName& name) override {
    const auto entry = context_.catalogs.find(name);
    if (!entry) {
      return "TABLE " + sql::unparse(name);
    }
    const Scope::Table whole{name.last(), {}, entry->schema(), 0};
    return fmt::format("(SELECT {}\nFROM {} AS {})",
                       columns_of(whole),
                       entry->path.quoted(),
                       quote_identifier(name.last()));
  }

  std::string alias(const sql::TableRef& ref) override {
    const auto found = aliases_.find(&ref);
    return found == aliases_.end() ? std::string() : found->second;
  }

 private:
  static void collect_leaves(const sql::TableRef& ref, std::vector<const sql::TableRef*>& leaves) {
    const auto* join = sql::if_a<sql::Join>(ref);
    if (join == nullptr || join->alias) {
      leaves.push_back(&ref);
      return;
    }
    collect_leaves(*join->left, leaves);
    collect_leaves(*join->right, leaves);
  }

  std::string name_leaf(const sql::TableRef& ref) {
    if (ref.alias) {
      return ref.alias->name.text;
    }
    const auto* named = sql::if_a<sql::NamedTable>(ref);
    std::string alias =
        named != nullptr ? named->name.last() : fmt::format("EXPR${}", next_generated_++);
    aliases_[&ref] = alias;
    return alias;
  }

  static std::string column_text(const Scope& scope, const sql::ObjectName& name) {
    const Scope::Match match = scope.resolve(name);
    for (const Scope::Table& table : scope.tables()) {
      const int32_t offset = match.column.value - table.first_column;
      if (offset < 0 || offset >= static_cast<int32_t>(table.schema.size())) {
        continue;
      }
      std::string text = qualified(table, static_cast<size_t>(offset));
      for (size_t part = match.parts; part < name.parts.size(); ++part) {
        text += "." + quote_identifier(name.parts[part].text);
      }
      return text;
    }
    return sql::unparse(name);
  }

  static std::string qualified(const Scope::Table& table, size_t column) {
    const std::string name = quote_identifier(table.schema[column].name);
    return table.alias.empty() ? name : quote_identifier(table.alias) + "." + name;
  }

  static std::string columns_of(const Scope::Table& table) {
    std::string text;
    for (size_t i = 0; i < table.schema.size(); ++i) {
      if (i >= table.hidden.size() || !table.hidden[i]) {
        text += (text.empty() ? "" : ", ") + qualified(table, i);
      }
    }
    return text;
  }

  const PlannerContext& context_;
  std::vector<std::optional<Scope>> scopes_;
  std::map<const sql::TableRef*, std::string> aliases_;
  int next_generated_ = 0;
};

}  // namespace

std::string expanded_text(const sql::Query& query, const PlannerContext& context) {
  ExpandedNames names(context);
  return sql::unparse(query, {.names = &names});
}

}  // namespace thalweg::planner
