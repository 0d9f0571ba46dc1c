#pragma once

#include "thalweg/planner/physical_plan.h"

namespace thalweg::planner {

/// Sets a scan's unique keys from the table's primary key, where the projection keeps all of it.
void add_primary_key(Scan& scan);

/// Sets a calc's unique and upsert keys: those of its input whose columns it passes on.
void keep_keys(Calc& calc);

/// The output columns in which a calc passes on `keys` of its input; nullopt when it drops one.
std::optional<std::vector<ColumnIndex>> keys_through(const Calc& calc,
                                                     const std::vector<ColumnIndex>& keys);

}  // namespace thalweg::planner
