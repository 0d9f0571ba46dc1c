#include <fmt/format.h>

#include "thalweg/formats/changelog_json/change_dialect.h"
#include "thalweg/formats/changelog_json/json_members.h"

namespace thalweg::formats {

namespace {

/// Maxwell: {"data": {...}, "old": {...}, "type": "update"}; "old" has only the fields that
/// changed.
class MaxwellDialect final : public ChangeDialect {
 public:
  std::string_view tool() const override { return "Maxwell"; }

  std::optional<std::string> read(std::string_view record, std::vector<Change>& changes) override {
    if (!record_.read(record)) {
      return "It is no JSON object.";
    }
    const auto type = record_.find_text("type");
    if (!type) {
      return "It has no \"type\".";
    }
    const bool updates = *type == "update";
    if (!updates && *type != "insert" && *type != "delete") {
      return fmt::format("Unknown \"type\" value \"{}\".", *type);
    }
    const auto data = record_.find("data");
    if (!data) {
      return "It has no \"data\".";
    }
    if (!updates) {
      changes.push_back(
          {*type == "insert" ? RowKind::kInsert : RowKind::kDelete, std::string(*data)});
      return std::nullopt;
    }
    const auto old = record_.find("old");
    auto before = old ? complete_row(*old, *data) : std::nullopt;
    if (!before) {
      return "Its \"old\" does not fit its \"data\".";
    }
    changes.push_back({RowKind::kUpdateBefore, std::move(*before)});
    changes.push_back({RowKind::kUpdateAfter, std::string(*data)});
    return std::nullopt;
  }

  void write(std::string_view row,
             bool comes,
             bool /*drops_nulls*/,
             std::string& out) const override {
    fmt::format_to(std::back_inserter(out),
                   "{{\"data\":{},\"type\":\"{}\"}}",
                   row,
                   comes ? "insert" : "delete");
  }

 private:
  JsonMembers record_;
};

std::unique_ptr<ChangeDialect> make_maxwell(const stream::OptionMap& /*options*/) {
  return std::make_unique<MaxwellDialect>();
}

}  // namespace

/// 'format' = 'maxwell-json'.
std::unique_ptr<stream::FormatFactory> make_maxwell_json_format() {
  return make_change_format("maxwell-json", {}, make_maxwell);
}

}  // namespace thalweg::formats
