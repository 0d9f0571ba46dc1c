#include "thalweg/planner/estimates.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "thalweg/planner/plan_text.h"

namespace thalweg::planner {

namespace {

constexpr double kTableRows = 1.0E8;
constexpr double kFilterShare = 0.5;
constexpr double kBytesPerColumn = 12;

struct Cost {
  double rows = 0;
  double cpu = 0;
  double io = 0;
  double network = 0;
};

double row_count(const PhysicalNode& node) {
  switch (node.kind) {
    case PhysicalNodeKind::kScan:
    case PhysicalNodeKind::kCustomSource:
      return kTableRows;
    case PhysicalNodeKind::kValues:
      return static_cast<double>(as<Values>(node).rows.size());
    case PhysicalNodeKind::kUnion: {
      double rows = 0;
      for (const PhysicalPtr& input : node.inputs) {
        rows += row_count(*input);
      }
      return rows;
    }
    case PhysicalNodeKind::kCalc:
      return row_count(*node.inputs[0]) * (as<Calc>(node).condition ? kFilterShare : 1);
    case PhysicalNodeKind::kExpand:
      return row_count(*node.inputs[0]) * static_cast<double>(as<Expand>(node).projections.size());
    default:
      return row_count(*node.inputs[0]);
  }
}

Cost cumulative_cost(const PhysicalNode& node) {
  Cost cost;
  for (const PhysicalPtr& input : node.inputs) {
    const Cost below = cumulative_cost(*input);
    cost.rows += below.rows;
    cost.cpu += below.cpu;
    cost.io += below.io;
    cost.network += below.network;
  }
  const double rows = row_count(node);
  const double width = kBytesPerColumn * static_cast<double>(node.schema.size());
  cost.rows += rows;
  if (node.kind == PhysicalNodeKind::kScan) {
    cost.cpu += rows;
    cost.io += rows * width;
  } else if (node.kind == PhysicalNodeKind::kExchange) {
    cost.cpu += rows * width * 7;
    cost.network += rows * width;
  } else if (node.kind != PhysicalNodeKind::kCalc) {
    cost.cpu += rows;
  }
  return cost;
}

/// Java's Double.toString of large round numbers: 5.0E7.
std::string java_number(double value) {
  if (value == 0 || (std::fabs(value) >= 1e-3 && std::fabs(value) < 1e7)) {
    return value == std::floor(value) ? fmt::format("{:.1f}", value) : fmt::format("{}", value);
  }
  const auto exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  std::string mantissa = fmt::format("{}", value / std::pow(10.0, exponent));
  if (mantissa.find('.') == std::string::npos) {
    mantissa += ".0";
  }
  return fmt::format("{}E{}", mantissa, exponent);
}

std::string json_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + "\"";
}

class JsonNodes {
 public:
  size_t add(const PhysicalNode& node) {
    const auto known = ids_.find(&node);
    if (known != ids_.end()) {
      return known->second;
    }
    std::vector<std::string> predecessors;
    for (const PhysicalPtr& input : node.inputs) {
      predecessors.push_back(fmt::format("{{\n      \"id\" : {}\n    }}", add(*input)));
    }
    const size_t id = ids_.size() + 1;
    ids_.emplace(&node, id);
    std::string text =
        fmt::format("  {{\n    \"id\" : {},\n    \"type\" : {},\n    \"contents\" : {}",
                    id,
                    json_text(node_name(node)),
                    json_text(describe_physical(node, PlanStyle::kExecution)));
    if (!predecessors.empty()) {
      text += fmt::format(",\n    \"predecessors\" : [ {} ]", fmt::join(predecessors, ", "));
    }
    nodes_.push_back(text + "\n  }");
    return id;
  }

  std::string text() const {
    return fmt::format("{{\n  \"nodes\" : [\n{}\n  ]\n}}", fmt::join(nodes_, ",\n"));
  }

 private:
  std::map<const PhysicalNode*, size_t> ids_;
  std::vector<std::string> nodes_;
};

}  // namespace

std::string estimate_text(const PhysicalNode& node) {
  const Cost cost = cumulative_cost(node);
  return fmt::format(
      "rowcount = {}, cumulative cost = {{{} rows, {} cpu, {} io, {} network, 0.0 memory}}",
      java_number(row_count(node)),
      java_number(cost.rows),
      java_number(cost.cpu),
      java_number(cost.io),
      java_number(cost.network));
}

std::string json_plan(const std::vector<PhysicalPtr>& roots) {
  JsonNodes nodes;
  for (const PhysicalPtr& root : roots) {
    nodes.add(*root);
  }
  return nodes.text();
}

}  // namespace thalweg::planner
