#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/formats/json/json_options.h"
#include "thalweg/stream/format.h"
#include "thalweg/types/row_kind.h"

namespace thalweg::formats {

/// One change of a record: its kind and the JSON object of its row.
struct Change {
  RowKind kind = RowKind::kInsert;
  std::string row;
};

/// How one tool for change data capture writes changes as JSON. One owner, one thread: it may keep
/// memory between records.
class ChangeDialect {
 public:
  virtual ~ChangeDialect() = default;

  /// The tool's name in messages.
  virtual std::string_view tool() const = 0;
  /// Appends the changes that a record tells of. What is wrong with it, or nothing.
  virtual std::optional<std::string> read(std::string_view record,
                                          std::vector<Change>& changes) = 0;
  /// Appends the record for a row, given as a JSON object, that comes (or goes). NULL members are
  /// left out when `drops_nulls`.
  virtual void write(std::string_view row,
                     bool comes,
                     bool drops_nulls,
                     std::string& out) const = 0;
};

using MakeDialect = std::unique_ptr<ChangeDialect> (*)(const stream::OptionMap& options);

/// A format of JSON records that carry changes. `dialect_options` stand before those it shares with
/// the json format.
std::unique_ptr<stream::FormatFactory> make_change_format(
    std::string name, std::vector<stream::OptionSpec> dialect_options, MakeDialect make_dialect);

/// Shared by formats whose records hold the whole row before and after the change.
struct BeforeAfter {
  /// The member that tells the kind of change, and its values for the kinds.
  std::string_view kind_member;
  std::string_view insert;
  std::string_view update;
  std::string_view remove;
  std::string_view tool;
};

/// As ChangeDialect::write, for such a format.
void write_before_after(
    const BeforeAfter& words, std::string_view row, bool comes, bool drops_nulls, std::string& out);

/// What Flink says of a change without its old row.
std::string no_old_row(std::string_view change, std::string_view tool);

/// The members of `old_row`, and those of `row` that it lacks: tools that tell only what changed
/// leave the rest out. Of `left_out` nothing is completed. nullopt when one of them is no object.
std::optional<std::string> complete_row(std::string_view old_row,
                                        std::string_view row,
                                        const std::set<std::string>& left_out = {});

}  // namespace thalweg::formats
