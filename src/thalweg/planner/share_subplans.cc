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
  return node.kind != PhysicalNodeKind::kSink && node.kind != PhysicalNodeKind::kCustomSink;
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
