#include "thalweg/planner/changelog.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::planner {

namespace {

/// Walks a plan from its root with what each consumer needs. Nodes that are shared stay shared.
class ChangelogPass {
 public:
  PhysicalPtr settle(const PhysicalPtr& node, bool wants_before) {
    const auto key = std::make_pair(node.get(), wants_before);
    const auto found = settled_.find(key);
    if (found != settled_.end()) {
      return found->second;
    }
    PhysicalPtr result = settle_new(*node, wants_before);
    settled_.emplace(key, result);
    return result;
  }

 private:
  PhysicalPtr settle_new(const PhysicalNode& node, bool wants_before) {
    std::shared_ptr<PhysicalNode> copy = copy_node(node);
    if (node.execution) {
      copy->execution = settle(node.execution, wants_before);
    }
    for (PhysicalPtr& input : copy->inputs) {
      input = settle(input, input_wants_before(node, wants_before));
    }
    settle_own(*copy, wants_before);
    return copy;
  }

  /// Whether a node needs the old rows of its input's updates.
  static bool input_wants_before(const PhysicalNode& node, bool wants_before) {
    switch (node.kind) {
      case PhysicalNodeKind::kCalc:
        // A row that fails the condition after an update must be taken back by its old value.
        return wants_before || as<Calc>(node).condition != nullptr;
      case PhysicalNodeKind::kExchange:
      case PhysicalNodeKind::kUnion:
      case PhysicalNodeKind::kExpand:
      case PhysicalNodeKind::kWatermarkAssigner:
      case PhysicalNodeKind::kWindowTableFunction:
        return wants_before;
      case PhysicalNodeKind::kCorrelate:
        return wants_before || as<Correlate>(node).function->replaces_rows;
      case PhysicalNodeKind::kChangelogNormalize:
        return false;
      case PhysicalNodeKind::kSort:
        return as<Sort>(node).update_key.empty();
      case PhysicalNodeKind::kSink:
        return as<Sink>(node).materializes || sink_mode(as<Sink>(node)).update_before;
      default:
        return true;
    }
  }

  static stream::ChangelogMode sink_mode(const Sink& sink) {
    return sink.sink->accepted(sink.inputs[0]->changelog);
  }

  static void settle_own(PhysicalNode& node, bool wants_before) {
    switch (node.kind) {
      case PhysicalNodeKind::kGroupAggregate:
        static_cast<GroupAggregate&>(node).sends_update_before = wants_before;
        break;
      case PhysicalNodeKind::kSort:
        static_cast<Sort&>(node).sends_update_before = wants_before;
        break;
      case PhysicalNodeKind::kLimit:
        static_cast<Limit&>(node).sends_update_before = wants_before;
        break;
      case PhysicalNodeKind::kChangelogNormalize:
        static_cast<ChangelogNormalize&>(node).sends_update_before = wants_before;
        break;
      case PhysicalNodeKind::kOverAggregate:
        static_cast<OverAggregate&>(node).sends_update_before = wants_before;
        break;
      case PhysicalNodeKind::kSink:
      case PhysicalNodeKind::kScan:
      case PhysicalNodeKind::kDropUpdateBefore:
      case PhysicalNodeKind::kChangelogFunction:
      case PhysicalNodeKind::kCustomSource:
      case PhysicalNodeKind::kCustomOperator:
      case PhysicalNodeKind::kCustomSink:
        return;
      default: {
        const bool passes_on = !node.inputs.empty() && node.changelog.update_after;
        if (passes_on) {
          node.changelog.update_before =
              std::any_of(node.inputs.begin(), node.inputs.end(), [](const PhysicalPtr& input) {
                return input->changelog.update_before;
              });
        }
        return;
      }
    }
    if (node.changelog.update_after) {
      node.changelog.update_before = wants_before;
    }
  }

  std::map<std::pair<const PhysicalNode*, bool>, PhysicalPtr> settled_;
};

/// The node that makes the changes which reach `node`.
const PhysicalNode& producer_of_changes(const PhysicalNode& node) {
  switch (node.kind) {
    case PhysicalNodeKind::kCalc:
    case PhysicalNodeKind::kExchange:
    case PhysicalNodeKind::kUnion:
    case PhysicalNodeKind::kExpand:
    case PhysicalNodeKind::kCorrelate:
    case PhysicalNodeKind::kWatermarkAssigner:
    case PhysicalNodeKind::kWindowTableFunction:
      for (const PhysicalPtr& input : node.inputs) {
        if (!input->changelog.is_insert_only()) {
          return producer_of_changes(*input);
        }
      }
      return node;
    default:
      return node;
  }
}

std::vector<std::string> upsert_key_names(const Sink& sink) {
  std::vector<std::string> names;
  for (const ColumnIndex column : sink.inputs[0]->upsert_key) {
    names.push_back(sink.table.columns.at(static_cast<size_t>(column.value)).name);
  }
  return names;
}

/// "[a]"; "" where the key is lost on the way; "none" where the source has none.
std::string upsert_key_text(const Sink& sink) {
  const std::vector<std::string> names = upsert_key_names(sink);
  if (!names.empty()) {
    return fmt::format("[{}]", fmt::join(names, ", "));
  }
  const auto* scan = if_a<Scan>(producer_of_changes(*sink.inputs[0]));
  return scan != nullptr && scan->table.primary_key.empty() ? "none" : "";
}

void check_accepted(const std::string& sink_name,
                    const PhysicalNode& input,
                    const stream::ChangelogMode& accepted) {
  std::string kinds;
  if (input.changelog.update_after && !accepted.update_after) {
    kinds = "update";
  }
  if (input.changelog.remove && !accepted.remove) {
    kinds += kinds.empty() ? "delete" : " and delete";
  }
  if (kinds.empty()) {
    return;
  }
  throw Error(ErrorCode::kUpdatesNotSupported,
              fmt::format("Table sink '{}' doesn't support consuming {} changes which is produced "
                          "by node {}",
                          sink_name,
                          kinds,
                          describe(producer_of_changes(input))))
      .hint(
          "Write to a table that takes updates (upsert-kafka, print, jdbc with a primary key), or "
          "aggregate over a window, whose result is sent once.");
}

/// Flink 2.3: rows that are updated by one key do not fit a table with another.
void check_upsert_key(const Sink& sink) {
  const PhysicalNode& input = *sink.inputs[0];
  if (sink.table.primary_key.empty() || input.changelog.is_insert_only() ||
      sink.allows_key_conflicts || fits_primary_key(sink)) {
    return;
  }
  throw Error(
      ErrorCode::kValidation,
      fmt::format(
          "The query has an upsert key that differs from the primary key of the sink table '{}'. "
          "Primary key: [{}], upsert key: {}. This can lead to non-deterministic results when "
          "multiple records with different upsert keys map to the same primary key. Please specify "
          "an ON CONFLICT clause to define how conflicts should be handled: ON CONFLICT DO "
          "DEDUPLICATE (update to the latest record, state intensive, since we need to keep the "
          "entire history), or ON CONFLICT DO ERROR (fail on conflict), or ON CONFLICT DO NOTHING "
          "(keep first record).",
          fmt::join(sink.path, "."),
          fmt::join(sink.table.primary_key, ", "),
          upsert_key_text(sink)));
}

}  // namespace

void check_insert_only(const std::string& sink_name, const PhysicalNode& input) {
  check_accepted(sink_name, input, stream::ChangelogMode::insert_only());
}

bool fits_primary_key(const Sink& sink) {
  const PhysicalNode& input = *sink.inputs[0];
  for (const std::vector<ColumnIndex>& key : input.unique_keys) {
    if (key.empty()) {
      return true;  // one row at most
    }
  }
  std::vector<std::string> names = upsert_key_names(sink);
  std::vector<std::string> wanted = sink.table.primary_key;
  std::sort(names.begin(), names.end());
  std::sort(wanted.begin(), wanted.end());
  return !names.empty() && std::includes(wanted.begin(), wanted.end(), names.begin(), names.end());
}

PhysicalPtr settle_changelog(const PhysicalPtr& root, bool wants_update_before) {
  if (const auto* sink = if_a<Sink>(*root)) {
    const PhysicalNode& input = *sink->inputs[0];
    check_accepted(fmt::format("{}", fmt::join(sink->path, ".")),
                   input,
                   sink->sink->accepted(input.changelog));
    check_upsert_key(*sink);
  }
  return ChangelogPass().settle(root, wants_update_before);
}

namespace {

template <typename T>
std::shared_ptr<PhysicalNode> copy_as(const PhysicalNode& node) {
  return std::make_shared<T>(as<T>(node));
}

}  // namespace

std::shared_ptr<PhysicalNode> copy_node(const PhysicalNode& node) {
  switch (node.kind) {
    case PhysicalNodeKind::kScan:
      return copy_as<Scan>(node);
    case PhysicalNodeKind::kValues:
      return copy_as<Values>(node);
    case PhysicalNodeKind::kWatermarkAssigner:
      return copy_as<WatermarkAssigner>(node);
    case PhysicalNodeKind::kCalc:
      return copy_as<Calc>(node);
    case PhysicalNodeKind::kExchange:
      return copy_as<Exchange>(node);
    case PhysicalNodeKind::kGroupAggregate:
      return copy_as<GroupAggregate>(node);
    case PhysicalNodeKind::kWindowTableFunction:
      return copy_as<WindowTableFunction>(node);
    case PhysicalNodeKind::kWindowAggregate:
      return copy_as<WindowAggregate>(node);
    case PhysicalNodeKind::kGroupWindowAggregate:
      return copy_as<GroupWindowAggregate>(node);
    case PhysicalNodeKind::kExpand:
      return copy_as<Expand>(node);
    case PhysicalNodeKind::kChangelogFunction:
      return copy_as<ChangelogFunction>(node);
    case PhysicalNodeKind::kCorrelate:
      return copy_as<Correlate>(node);
    case PhysicalNodeKind::kSort:
      return copy_as<Sort>(node);
    case PhysicalNodeKind::kOverAggregate:
      return copy_as<OverAggregate>(node);
    case PhysicalNodeKind::kLimit:
      return copy_as<Limit>(node);
    case PhysicalNodeKind::kUnion:
      return copy_as<Union>(node);
    case PhysicalNodeKind::kChangelogNormalize:
      return copy_as<ChangelogNormalize>(node);
    case PhysicalNodeKind::kDropUpdateBefore:
      return copy_as<DropUpdateBefore>(node);
    case PhysicalNodeKind::kSink:
      return copy_as<Sink>(node);
    case PhysicalNodeKind::kCustomSource:
      return copy_as<CustomSource>(node);
    case PhysicalNodeKind::kCustomOperator:
      return copy_as<CustomOperator>(node);
    case PhysicalNodeKind::kCustomSink:
      return copy_as<CustomSink>(node);
  }
  unreachable("physical node");
}

}  // namespace thalweg::planner
