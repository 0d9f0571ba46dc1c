#include <regex>
#include <set>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/changelog_json/change_dialect.h"
#include "thalweg/formats/changelog_json/json_members.h"

namespace thalweg::formats {

namespace {

/// Canal: {"data": [{...}], "old": [{...}], "type": "UPDATE", "database": "d", "table": "t"}; "old"
/// has only the fields that changed. Several rows may stand in one record.
class CanalDialect final : public ChangeDialect {
 public:
  explicit CanalDialect(const stream::OptionMap& options)
      : database_(pattern_of(options, "database.include")),
        table_(pattern_of(options, "table.include")) {}

  std::string_view tool() const override { return "Canal"; }

  std::optional<std::string> read(std::string_view record, std::vector<Change>& changes) override {
    if (!record_.read(record)) {
      return "It is no JSON object.";
    }
    if (!fits(database_, "database") || !fits(table_, "table")) {
      return std::nullopt;
    }
    const auto type = record_.find_text("type");
    if (!type) {
      return "It has no \"type\".";
    }
    if (*type == "CREATE") {
      return std::nullopt;  // the table was made; no row changed
    }
    const bool updates = *type == "UPDATE";
    if (!updates && *type != "INSERT" && *type != "DELETE") {
      return fmt::format("Unknown \"type\" value \"{}\".", *type);
    }
    const auto data = record_.find("data");
    if (!data || !rows_.read_array(*data)) {
      return "It has no \"data\".";
    }
    if (updates) {
      return read_updates(changes);
    }
    for (const JsonMembers::Member& row : rows_.members()) {
      changes.push_back(
          {*type == "INSERT" ? RowKind::kInsert : RowKind::kDelete, std::string(row.value)});
    }
    return std::nullopt;
  }

  void write(std::string_view row,
             bool comes,
             bool /*drops_nulls*/,
             std::string& out) const override {
    fmt::format_to(std::back_inserter(out),
                   "{{\"data\":[{}],\"type\":\"{}\"}}",
                   row,
                   comes ? "INSERT" : "DELETE");
  }

 private:
  using Pattern = std::optional<std::regex>;

  static Pattern pattern_of(const stream::OptionMap& options, const std::string& key) {
    const auto found = options.find(key);
    if (found == options.end()) {
      return std::nullopt;
    }
    try {
      return std::regex(found->second);
    } catch (const std::regex_error&) {
      throw Error(
          ErrorCode::kInvalidOption,
          fmt::format("'canal-json.{}' is no regular expression: '{}'", key, found->second));
    }
  }

  bool fits(const Pattern& pattern, std::string_view member) const {
    return !pattern ||
           std::regex_match(record_.find_text(member).value_or(std::string()), *pattern);
  }

  /// As Flink: a column that "old" has for any row of the message is NULL before in the rows for
  /// which it has none.
  std::optional<std::set<std::string>> changed_columns() const {
    std::set<std::string> names;
    JsonMembers row;
    for (const auto& member : old_rows_.members()) {
      if (!row.read(member.value)) {
        return std::nullopt;
      }
      for (const auto& column : row.members()) {
        names.emplace(column.name);
      }
    }
    return names;
  }

  std::optional<std::string> read_updates(std::vector<Change>& changes) {
    const auto old = record_.find("old");
    if (!old || !old_rows_.read_array(*old) ||
        old_rows_.members().size() < rows_.members().size()) {
      return "Its \"old\" does not fit its \"data\".";
    }
    std::optional<std::set<std::string>> changed = changed_columns();
    if (!changed) {
      return "Its rows are no JSON objects.";
    }
    for (size_t i = 0; i < rows_.members().size(); ++i) {
      const std::string_view row = rows_.members()[i].value;
      auto before = complete_row(old_rows_.members()[i].value, row, *changed);
      if (!before) {
        return "Its rows are no JSON objects.";
      }
      changes.push_back({RowKind::kUpdateBefore, std::move(*before)});
      changes.push_back({RowKind::kUpdateAfter, std::string(row)});
    }
    return std::nullopt;
  }

  Pattern database_;
  Pattern table_;
  JsonMembers record_;
  JsonMembers rows_;
  JsonMembers old_rows_;
};

std::unique_ptr<ChangeDialect> make_canal(const stream::OptionMap& options) {
  return std::make_unique<CanalDialect>(options);
}

}  // namespace

/// 'format' = 'canal-json'.
std::unique_ptr<stream::FormatFactory> make_canal_json_format() {
  return make_change_format(
      "canal-json",
      {{.key = "database.include",
        .description = "Only records whose \"database\" matches this regular expression are read."},
       {.key = "table.include",
        .description = "Only records whose \"table\" matches this regular expression are read."}},
      make_canal);
}

}  // namespace thalweg::formats
