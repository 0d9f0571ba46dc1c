#include <map>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/estimates.h"
#include "thalweg/planner/optimizer.h"
#include "thalweg/planner/over_build.h"
#include "thalweg/planner/plan_text.h"
#include "thalweg/planner/planner.h"
#include "thalweg/planner/share_subplans.h"

namespace thalweg::planner {

ExplainDetails ExplainDetails::parse(const std::vector<std::string>& words) {
  ExplainDetails details;
  for (const std::string& word : words) {
    if (word == "ESTIMATED_COST") {
      details.estimated_cost = true;
    } else if (word == "CHANGELOG_MODE") {
      details.changelog_mode = true;
    } else if (word == "JSON_EXECUTION_PLAN") {
      details.json_execution_plan = true;
    } else if (word == "PLAN_ADVICE") {
      details.plan_advice = true;
    } else {
      throw Error(ErrorCode::kValidation, fmt::format("Unknown detail of EXPLAIN '{}'", word))
          .hint("Known ones: ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE.");
    }
  }
  return details;
}

namespace {

const std::vector<PhysicalPtr>& shown_inputs(const PhysicalNode& node) {
  return node.inputs;
}

/// The calls of OVER stand in their SELECT: its windows are not shown, nor what they compute.
const std::vector<LogicalPtr>& shown_inputs(const LogicalNode& node) {
  const auto* over = node.inputs.empty() ? nullptr : if_a<LogicalOver>(*node.inputs[0]);
  return over == nullptr ? node.inputs : below_windows(*over).inputs;
}

/// The exchange that the execution plan of Flink's batch mode has over a node, below `consumer`:
/// the rows of a partition stay together. Empty where there is none.
std::string kept_distribution(const PhysicalNode& consumer, const PhysicalNode& node) {
  const auto* over = if_a<OverAggregate>(consumer);
  if (over != nullptr && over->emits_at_end && !over->partition_keys.empty() &&
      node.kind != PhysicalNodeKind::kExchange) {
    return "Exchange(distribution=[forward])";
  }
  const auto* below = if_a<OverAggregate>(node);
  if (consumer.kind == PhysicalNodeKind::kSort && below != nullptr) {
    return below->partition_keys.empty()
               ? "Exchange(distribution=[forward])"
               : fmt::format("Exchange(distribution=[keep_input_as_is[hash[{}]]])",
                             column_names(below->schema, below->partition_keys));
  }
  return {};
}

/// The lines of a tree with Flink's branches: ":-" for all inputs but the last, "+-" for that.
/// `between` gives a line that stands between a node and its input, or an empty one.
template <typename Node, typename Describe, typename Between>
void append_tree(std::string& out,
                 const Node& node,
                 const std::string& first,
                 const std::string& rest,
                 const Describe& describe_node,
                 const Between& between) {
  out += first;
  bool show_inputs = true;
  out += describe_node(*node, show_inputs);
  out += "\n";
  const auto& inputs = shown_inputs(*node);
  for (size_t i = 0; show_inputs && i < inputs.size(); ++i) {
    const bool last = i + 1 == inputs.size();
    std::string branch = rest + (last ? "+- " : ":- ");
    std::string below = rest + (last ? "   " : ":  ");
    const std::string line = between(*node, *inputs[i]);
    if (!line.empty()) {
      out += branch + line + "\n";
      branch = below + "+- ";
      below += "   ";
    }
    append_tree(out, inputs[i], branch, below, describe_node, between);
  }
}

constexpr auto nothing_between = [](const auto&, const auto&) { return std::string(); };

std::string logical_tree(const LogicalPtr& root) {
  std::string text;
  append_tree(
      text,
      root,
      "",
      "",
      [](const LogicalNode& node, bool&) { return describe_logical(node); },
      nothing_between);
  return text;
}

/// "Calc(...)" with ", changelogMode=[I]" inside the parentheses.
std::string with_changelog(std::string text, const PhysicalNode& node) {
  if (node.kind == PhysicalNodeKind::kSink) {
    // A sink gives no rows of its own.
    text.insert(text.size() - 1, ", changelogMode=[NONE]");
    return text;
  }
  const std::string mode = fmt::format("changelogMode=[{}]", changelog_text(node.changelog));
  if (text.back() != ')') {
    return text + "(" + mode + ")";
  }
  text.insert(text.size() - 1, ", " + mode);
  return text;
}

constexpr std::string_view kTwoPhases =
    "advice[1]: [ADVICE] You might want to enable local-global two-phase optimization by "
    "configuring ('table.exec.mini-batch.enabled' to 'true', "
    "'table.exec.mini-batch.allow-latency' to a positive long value, "
    "'table.exec.mini-batch.size' to a positive long value).\n";

/// As Flink's GroupAggregationAnalyzer.
bool could_have_two_phases(const PhysicalNode& node) {
  const auto* aggregate = if_a<GroupAggregate>(node);
  return aggregate != nullptr && aggregate->phase == AggregatePhase::kComplete &&
         !aggregate->is_mini_batch &&
         std::none_of(aggregate->calls.begin(), aggregate->calls.end(), [](const auto& call) {
           return call.function->is_foreign;
         });
}

/// `advised`: whether some node has a note.
std::string physical_tree(const PhysicalPtr& root,
                          PlanStyle style,
                          const ExplainDetails& details,
                          bool& advised) {
  std::string text;
  const auto describe_node = [&](const PhysicalNode& node, bool&) {
    std::string line = describe_physical(node, style);
    if (details.plan_advice && could_have_two_phases(node)) {
      line.insert(line.find('(') + 1, "advice=[1], ");
      advised = true;
    }
    if (details.changelog_mode) {
      line = with_changelog(std::move(line), node);
    }
    if (details.estimated_cost) {
      line += ": " + estimate_text(node);
    }
    return line;
  };
  append_tree(text, root, "", "", describe_node, nothing_between);
  return text;
}

/// The execution plan: shared nodes are written once and referred to afterwards.
class ExecutionTree {
 public:
  explicit ExecutionTree(const std::vector<PhysicalPtr>& roots) {
    for (const PhysicalPtr& root : roots) {
      count(*root);
    }
    for (const PhysicalPtr& root : roots) {
      number(*root);
    }
  }

  std::string write(const PhysicalPtr& root) {
    std::string text;
    const auto describe_node = [this](const PhysicalNode& node, bool& show_inputs) {
      const auto id = ids_.find(&node);
      if (id == ids_.end()) {
        return describe_physical(node, PlanStyle::kExecution);
      }
      if (written_[&node]) {
        show_inputs = false;
        return fmt::format("Reused(reference_id=[{}])", id->second);
      }
      written_[&node] = true;
      return fmt::format(
          "{}(reuse_id=[{}])", describe_physical(node, PlanStyle::kExecution), id->second);
    };
    append_tree(text, root, "", "", describe_node, kept_distribution);
    return text;
  }

 private:
  void count(const PhysicalNode& node) {
    if (++consumers_[&node] > 1) {
      return;
    }
    for (const PhysicalPtr& input : node.inputs) {
      count(*input);
    }
  }

  void number(const PhysicalNode& node) {
    if (!visited_.emplace(&node, true).second) {
      return;
    }
    for (const PhysicalPtr& input : node.inputs) {
      number(*input);
    }
    if (consumers_[&node] > 1) {
      ids_.emplace(&node, ids_.size() + 1);
    }
  }

  std::map<const PhysicalNode*, int> consumers_;
  std::map<const PhysicalNode*, bool> visited_;
  std::map<const PhysicalNode*, size_t> ids_;
  std::map<const PhysicalNode*, bool> written_;
};

}  // namespace

std::string explain(const std::vector<LogicalPtr>& roots,
                    const ExplainDetails& details,
                    const PlannerContext& context) {
  const PhysicalPlan plan = optimize(roots, false, context);
  if (details.plan_advice && plan.is_batch) {
    throw Error(ErrorCode::kNotSupported, "EXPLAIN PLAN_ADVICE is not supported under batch mode.");
  }
  std::string text = "== Abstract Syntax Tree ==\n";
  for (const LogicalPtr& root : roots) {
    text += logical_tree(root) + "\n";
  }
  text += details.plan_advice ? "== Optimized Physical Plan With Advice ==\n"
                              : "== Optimized Physical Plan ==\n";
  bool advised = false;
  for (const PhysicalPtr& root : plan.roots) {
    text += physical_tree(root,
                          plan.is_batch ? PlanStyle::kBatchPhysical : PlanStyle::kPhysical,
                          details,
                          advised) +
            "\n";
  }
  if (details.plan_advice) {
    text += fmt::format("{}\n", advised ? kTwoPhases : "No available advice...\n");
  }
  text += "== Optimized Execution Plan ==\n";
  ExecutionTree execution(plan.roots);
  for (size_t i = 0; i < plan.roots.size(); ++i) {
    text += (i == 0 ? "" : "\n") + execution.write(plan.roots[i]);
  }
  if (details.json_execution_plan) {
    text += "\n== Physical Execution Plan ==\n" + json_plan(plan.roots) + "\n";
  }
  return text;
}

}  // namespace thalweg::planner
