#pragma once

#include "thalweg/planner/physical_plan.h"

namespace thalweg::planner {

/// Settles for a whole plan which rows travel: whether updates come with the old row (-U), and
/// whether sinks take what they are sent. `wants_update_before` says what the reader of a query's
/// result wants; sinks say it themselves. Throws Flink's words when a sink can't take the changes.
PhysicalPtr settle_changelog(const PhysicalPtr& root, bool wants_update_before);

/// Whether rows are updated by the sink's primary key or a part of it.
bool fits_primary_key(const Sink& sink);

/// Throws, in the words of `settle_changelog`, when the rows of `input` change and the sink of this
/// name takes insertions only.
void check_insert_only(const std::string& sink_name, const PhysicalNode& input);

/// A copy of a node of any kind, to be changed before it is shared.
std::shared_ptr<PhysicalNode> copy_node(const PhysicalNode& node);

}  // namespace thalweg::planner
