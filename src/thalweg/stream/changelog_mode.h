#pragma once

#include <cstdint>

#include "thalweg/types/row_kind.h"

namespace thalweg::stream {

/// The kinds of rows that a source gives or a sink takes.
struct ChangelogMode {
  bool insert = true;
  bool update_before = false;
  bool update_after = false;
  bool remove = false;

  static constexpr ChangelogMode insert_only() { return {}; }

  static constexpr ChangelogMode all() { return {true, true, true, true}; }

  static constexpr ChangelogMode upsert() { return {true, false, true, true}; }

  bool is_insert_only() const { return !update_before && !update_after && !remove; }

  bool operator==(const ChangelogMode&) const = default;
};

}  // namespace thalweg::stream
