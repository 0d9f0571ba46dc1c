#include <fmt/format.h>

#include "thalweg/formats/changelog_json/change_dialect.h"
#include "thalweg/formats/changelog_json/json_members.h"

namespace thalweg::formats {

namespace {

/// Debezium and Oracle GoldenGate: {"before": {...}, "after": {...}, "op": "u"}.
class BeforeAfterDialect final : public ChangeDialect {
 public:
  BeforeAfterDialect(BeforeAfter words, bool is_wrapped) : words_(words), is_wrapped_(is_wrapped) {}

  std::string_view tool() const override { return words_.tool; }

  std::optional<std::string> read(std::string_view record, std::vector<Change>& changes) override {
    const JsonMembers* message = &record_;
    if (!record_.read(record)) {
      return "It is no JSON object.";
    }
    if (is_wrapped_) {
      const auto payload = record_.find("payload");
      if (!payload || !payload_.read(*payload)) {
        return "It has no \"payload\".";
      }
      message = &payload_;
    }
    const auto kind = message->find_text(words_.kind_member);
    if (!kind) {
      return fmt::format("It has no \"{}\".", words_.kind_member);
    }
    return read_rows(*kind, message->find("before"), message->find("after"), changes);
  }

  void write(std::string_view row, bool comes, bool drops_nulls, std::string& out) const override {
    write_before_after(words_, row, comes, drops_nulls, out);
  }

 private:
  std::optional<std::string> read_rows(const std::string& kind,
                                       std::optional<std::string_view> before,
                                       std::optional<std::string_view> after,
                                       std::vector<Change>& changes) const {
    const bool inserts = kind == words_.insert || (is_debezium() && kind == "r");
    const bool updates = kind == words_.update;
    const bool removes = kind == words_.remove;
    if (!inserts && !updates && !removes) {
      return fmt::format("Unknown \"{}\" value \"{}\".", words_.kind_member, kind);
    }
    if (!inserts && !before) {
      return no_old_row(updates ? "UPDATE" : "DELETE", words_.tool);
    }
    if (!removes && !after) {
      return "Its \"after\" field is null.";
    }
    if (!inserts) {
      changes.push_back(
          {updates ? RowKind::kUpdateBefore : RowKind::kDelete, std::string(*before)});
    }
    if (!removes) {
      changes.push_back({updates ? RowKind::kUpdateAfter : RowKind::kInsert, std::string(*after)});
    }
    return std::nullopt;
  }

  /// Rows of the first snapshot come as "r".
  bool is_debezium() const { return words_.kind_member == "op"; }

  BeforeAfter words_;
  bool is_wrapped_;
  JsonMembers record_;
  JsonMembers payload_;
};

std::unique_ptr<ChangeDialect> make_debezium(const stream::OptionMap& options) {
  const auto include = options.find("schema-include");
  return std::make_unique<BeforeAfterDialect>(
      BeforeAfter{"op", "c", "u", "d", "Debezium"},
      include != options.end() && include->second == "true");
}

std::unique_ptr<ChangeDialect> make_ogg(const stream::OptionMap& /*options*/) {
  return std::make_unique<BeforeAfterDialect>(BeforeAfter{"op_type", "I", "U", "D", "Ogg"}, false);
}

}  // namespace

/// 'format' = 'debezium-json'.
std::unique_ptr<stream::FormatFactory> make_debezium_json_format() {
  return make_change_format(
      "debezium-json",
      {{.key = "schema-include",
        .type = stream::OptionType::kBoolean,
        .default_value = "false",
        .description = "The records were written with their schema, the change being below "
                       "\"payload\". For reading only."}},
      make_debezium);
}

/// 'format' = 'ogg-json'.
std::unique_ptr<stream::FormatFactory> make_ogg_json_format() {
  return make_change_format("ogg-json", {}, make_ogg);
}

}  // namespace thalweg::formats
