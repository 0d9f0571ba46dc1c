#include "thalweg/planner/share_subplans.h"

#include <map>

#include <fmt/format.h>

#include "thalweg/planner/changelog.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/plan_text.h"

namespace thalweg::planner {

namespace {

bool is_repeatable(const PhysicalNode& node) {
  if (const auto* calc = if_a<Calc>(node)) {
    for (const expression::ExpressionPtr& projection : calc->projections) {
      if (!is_deterministic(*projection)) {
        return false;
      }
    }
    return !calc->condition || is_deterministic(*calc->condition);
  }
  if (const auto* correlate = if_a<Correlate>(node)) {
    return correlate->function->is_deterministic;
  }
  return node.kind != PhysicalNodeKind::kSink && node.kind != PhysicalNodeKind::kCustomSink;
}

void add_foreign(const expression::Expression& expr, std::string& digest) {
  if (expr.function != nullptr && expr.function->is_foreign) {
    digest += fmt::format(" @{}", static_cast<const void*>(expr.function.get()));
  }
  for (const expression::ExpressionPtr& operand : expr.operands) {
    add_foreign(*operand, digest);
  }
}

void add_foreign(const std::vector<expression::AggregateCall>& calls, std::string& digest) {
  for (const expression::AggregateCall& call : calls) {
    digest += fmt::format(" @{}", static_cast<const void*>(call.function.get()));
  }
}

/// Users' functions may have one name (all lambdas do): what tells them apart.
void add_foreign_functions(const PhysicalNode& node, std::string& digest) {
  if (const auto* calc = if_a<Calc>(node)) {
    for (const expression::ExpressionPtr& projection : calc->projections) {
      add_foreign(*projection, digest);
    }
    if (calc->condition) {
      add_foreign(*calc->condition, digest);
    }
  } else if (const auto* correlate = if_a<Correlate>(node)) {
    digest += fmt::format(" @{}", static_cast<const void*>(correlate->function.get()));
  } else if (const auto* group = if_a<GroupAggregate>(node)) {
    add_foreign(group->calls, digest);
  } else if (const auto* window = if_a<WindowAggregate>(node)) {
    add_foreign(window->calls, digest);
  } else if (const auto* group_window = if_a<GroupWindowAggregate>(node)) {
    add_foreign(group_window->calls, digest);
  } else if (const auto* over = if_a<OverAggregate>(node)) {
    for (const OverCalls& calls : over->windows) {
      add_foreign(calls.calls, digest);
    }
  }
}

/// Custom nodes are the same when they run the same thing.
std::string identity_of(const PhysicalNode& node) {
  if (const auto* source = if_a<CustomSource>(node)) {
    return fmt::format(" @{}", static_cast<const void*>(source->spec.source.get()));
  }
  if (const auto* custom = if_a<CustomOperator>(node)) {
    return fmt::format(" @{}", static_cast<const void*>(custom->spec.factory.get()));
  }
  return {};
}

/// Gives each distinct subtree a number, leaves first.
class Sharing {
 public:
  PhysicalPtr share(const PhysicalPtr& node) {
    const auto seen = visited_.find(node.get());
    if (seen != visited_.end()) {
      return seen->second;
    }
    std::shared_ptr<PhysicalNode> copy = copy_node(*node);
    std::string digest = describe_physical(*node, PlanStyle::kPhysical);
    add_foreign_functions(*node, digest);
    for (PhysicalPtr& input : copy->inputs) {
      input = share(input);
      digest += fmt::format(" #{}", static_cast<const void*>(input.get()));
    }
    if (copy->execution) {
      copy->execution = share(copy->execution);
      digest += fmt::format(" ={}", static_cast<const void*>(copy->execution.get()));
    }
    digest += " " + changelog_text(node->changelog) + identity_of(*node);
    for (const Field& field : node->schema) {
      digest += fmt::format(" {} {}", field.name, field.type.to_string());
    }
    PhysicalPtr result = copy;
    if (is_repeatable(*node)) {
      result = known_.emplace(std::move(digest), std::move(copy)).first->second;
    }
    visited_.emplace(node.get(), result);
    return result;
  }

 private:
  std::map<const PhysicalNode*, PhysicalPtr> visited_;
  std::map<std::string, PhysicalPtr> known_;
};

}  // namespace

std::vector<PhysicalPtr> share_subplans(const std::vector<PhysicalPtr>& roots) {
  Sharing sharing;
  std::vector<PhysicalPtr> shared;
  for (const PhysicalPtr& root : roots) {
    shared.push_back(sharing.share(root));
  }
  return shared;
}

}  // namespace thalweg::planner
