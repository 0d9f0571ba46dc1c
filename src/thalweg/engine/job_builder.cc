#include "thalweg/engine/job_builder.h"

#include "thalweg/connectors/values/values_source.h"
#include "thalweg/engine/limited_source.h"
#include "thalweg/engine/operator_translation.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/hash.h"

namespace thalweg::engine {

namespace {

using planner::PhysicalNode;
using planner::PhysicalPtr;
using runtime::Partitioning;

/// Where the rows of a node come out: a vertex, and how they travel on.
struct Outlet {
  uint32_t vertex = 0;
  Partitioning partitioning = Partitioning::kForward;
  std::vector<ColumnIndex> keys = {};
  /// Others read these rows too, so nothing may be chained behind.
  bool is_shared = false;
};

using Outlets = std::vector<Outlet>;

const PhysicalNode& executed(const PhysicalNode& node) {
  return node.execution == nullptr ? node : executed(*node.execution);
}

std::shared_ptr<stream::TableSource> values_source(const planner::Values& values) {
  std::vector<ColumnBuilder> builders = make_builders(values.schema);
  for (const std::vector<Value>& row : values.rows) {
    for (size_t i = 0; i < builders.size(); ++i) {
      builders[i].append_value(row[i]);
    }
  }
  std::vector<ColumnPtr> columns;
  for (ColumnBuilder& builder : builders) {
    columns.push_back(builder.finish());
  }
  return connectors::make_values_source(
      {Batch(static_cast<int32_t>(values.rows.size()), std::move(columns))});
}

class JobBuilder {
 public:
  JobBuilder(const planner::PhysicalPlan& plan, const Configuration& config)
      : parallelism_(config.parallelism()), context_{config, {}, plan.is_batch} {
    context_.evaluation.time_zone = plan.time_zone;
    context_.evaluation.is_batch = plan.is_batch;
    context_.evaluation.statement_start = SystemClock().now();
    for (const PhysicalPtr& root : plan.roots) {
      count_consumers(executed(*root));
    }
  }

  void build_root(const PhysicalNode& root, std::shared_ptr<const stream::TableSink> result_sink) {
    const Outlets outlets = build(root);
    if (result_sink != nullptr && !outlets.empty()) {
      // Results are read in the order in which one chain gives them; a lone chain keeps it.
      add_sink(outlets, "Collect", std::move(result_sink), parallelism_of(outlets));
    }
  }

  runtime::JobGraph take(std::string name) {
    for (runtime::Vertex& vertex : graph_.vertices) {
      vertex.name = name_of(vertex);
    }
    graph_.name = std::move(name);
    return std::move(graph_);
  }

 private:
  void count_consumers(const PhysicalNode& node) {
    if (++consumers_[&node] > 1) {
      return;
    }
    for (const PhysicalPtr& input : node.inputs) {
      count_consumers(executed(*input));
    }
  }

  Outlets build(const PhysicalNode& planned) {
    const PhysicalNode& node = executed(planned);
    const auto found = built_.find(&node);
    if (found != built_.end()) {
      return found->second;
    }
    Outlets outlets = build_new(node);
    if (consumers_[&node] > 1) {
      for (Outlet& outlet : outlets) {
        outlet.is_shared = true;
      }
    }
    built_.emplace(&node, outlets);
    return outlets;
  }

  Outlets build_new(const PhysicalNode& node) {
    switch (node.kind) {
      case planner::PhysicalNodeKind::kScan:
        return build_scan(planner::as<planner::Scan>(node));
      case planner::PhysicalNodeKind::kValues:
        return add_source(
            planner::describe(node), values_source(planner::as<planner::Values>(node)), 1);
      case planner::PhysicalNodeKind::kExchange:
        return build_exchange(planner::as<planner::Exchange>(node));
      case planner::PhysicalNodeKind::kUnion:
        return build_union(node);
      case planner::PhysicalNodeKind::kSink:
        return build_sink(planner::as<planner::Sink>(node));
      case planner::PhysicalNodeKind::kCustomSource:
        return build_custom_source(planner::as<planner::CustomSource>(node));
      case planner::PhysicalNodeKind::kCustomOperator:
        return build_custom_operator(planner::as<planner::CustomOperator>(node));
      case planner::PhysicalNodeKind::kCustomSink:
        return build_custom_sink(planner::as<planner::CustomSink>(node));
      default:
        return add_operator(
            build(*node.inputs.at(0)), planner::describe(node), translate(node, context_));
    }
  }

  Outlets add_source(std::string name,
                     std::shared_ptr<stream::TableSource> source,
                     int32_t parallelism) {
    return add_source(next_operator_id(), std::move(name), std::move(source), parallelism);
  }

  Outlets add_source(OperatorId id,
                     std::string name,
                     std::shared_ptr<stream::TableSource> source,
                     int32_t parallelism) {
    runtime::Vertex& vertex = add_vertex(source->fixed_parallelism().value_or(parallelism));
    vertex.source = runtime::SourceNode{id, std::move(name), std::move(source)};
    return {{.vertex = vertex.id}};
  }

  Outlets build_custom_source(const planner::CustomSource& node) {
    const planner::CustomTraits& traits = node.spec.traits;
    return add_source(operator_id_of(traits),
                      traits.name,
                      node.spec.source,
                      traits.parallelism.value_or(parallelism_));
  }

  Outlets build_custom_operator(const planner::CustomOperator& node) {
    const planner::CustomTraits& traits = node.spec.traits;
    const int32_t parallelism = traits.parallelism.value_or(parallelism_);
    std::vector<CustomEdge> edges;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      for (const Outlet& outlet : build(*node.inputs[i])) {
        edges.push_back({outlet, node.spec.inputs.at(i)});
      }
    }
    runtime::Vertex& vertex = vertex_behind(edges, traits, parallelism);
    vertex.operators.push_back({operator_id_of(traits), traits.name, node.spec.factory});
    return {{.vertex = vertex.id}};
  }

  Outlets build_custom_sink(const planner::CustomSink& node) {
    const planner::CustomTraits& traits = node.spec.traits;
    const int32_t parallelism =
        traits.parallelism.value_or(node.spec.sink->parallelism().value_or(parallelism_));
    std::vector<CustomEdge> edges;
    for (const Outlet& outlet : build(*node.inputs.at(0))) {
      edges.push_back({outlet, node.spec.input});
    }
    runtime::Vertex& vertex = vertex_behind(edges, traits, parallelism);
    vertex.sink = runtime::SinkNode{operator_id_of(traits), traits.name, node.spec.sink};
    return {};
  }

  /// Rows that come to a custom operator or sink.
  struct CustomEdge {
    Outlet outlet;
    planner::CustomInput target;
  };

  runtime::Vertex& vertex_behind(const std::vector<CustomEdge>& edges,
                                 const planner::CustomTraits& traits,
                                 int32_t parallelism) {
    using Distribution = planner::CustomDistribution;
    const CustomEdge& first = edges.at(0);
    const bool keeps_place = first.target.distribution == Distribution::kAuto ||
                             first.target.distribution == Distribution::kForward;
    const bool chains = edges.size() == 1 && keeps_place && traits.may_chain &&
                        first.outlet.partitioning == Partitioning::kForward &&
                        !first.outlet.is_shared &&
                        graph_.vertices[first.outlet.vertex].parallelism == parallelism;
    if (chains) {
      return graph_.vertices[first.outlet.vertex];
    }
    const uint32_t id = add_vertex(parallelism).id;
    for (const CustomEdge& edge : edges) {
      graph_.edges.push_back(
          {.from = edge.outlet.vertex,
           .to = id,
           .input = edge.target.input,
           .partitioning = partitioning_of(edge, traits.name, parallelism),
           .keys = edge.target.columns.empty() ? edge.outlet.keys : edge.target.columns});
    }
    return graph_.vertices[id];
  }

  Partitioning partitioning_of(const CustomEdge& edge,
                               const std::string& name,
                               int32_t parallelism) const {
    using Distribution = planner::CustomDistribution;
    const int32_t senders = graph_.vertices[edge.outlet.vertex].parallelism;
    switch (edge.target.distribution) {
      case Distribution::kForward:
        if (senders != parallelism) {
          throw Error(ErrorCode::kNotSupported,
                      fmt::format("Forward partitioning does not allow change of parallelism. "
                                  "Upstream operation parallelism: {}, downstream operation: {} "
                                  "parallelism: {} You must use another partitioning strategy, "
                                  "such as broadcast, rebalance, shuffle or global.",
                                  senders,
                                  name,
                                  parallelism));
        }
        return Partitioning::kForward;
      case Distribution::kAuto:
        if (edge.outlet.partitioning != Partitioning::kForward) {
          return edge.outlet.partitioning;
        }
        if (senders == parallelism) {
          return Partitioning::kForward;
        }
        return parallelism == 1 ? Partitioning::kSingleton : Partitioning::kRoundRobin;
      case Distribution::kHash:
        return Partitioning::kHash;
      case Distribution::kRoundRobin:
        return Partitioning::kRoundRobin;
      case Distribution::kRescale:
        return Partitioning::kRescale;
      case Distribution::kShuffle:
        return Partitioning::kShuffle;
      case Distribution::kBroadcast:
        return Partitioning::kBroadcast;
      case Distribution::kSingleton:
        return Partitioning::kSingleton;
      case Distribution::kByNumber:
        return Partitioning::kByNumber;
    }
    unreachable("distribution");
  }

  /// By the user's own id where there is one: it then survives changes of the program.
  OperatorId operator_id_of(const planner::CustomTraits& traits) {
    const OperatorId next = next_operator_id();
    if (traits.uid.empty()) {
      return next;
    }
    constexpr uint32_t kNamed = 0x80000000U;
    const OperatorId named{static_cast<uint32_t>(hash_bytes(traits.uid)) | kNamed};
    const auto [found, is_new] = named_.emplace(named.value, traits.uid);
    if (!is_new) {
      throw Error(
          ErrorCode::kValidation,
          fmt::format("Hash collision on user-specified ID \"{}\". Most likely cause is a "
                      "non-unique ID. Please check that all IDs specified via `uid(String)` "
                      "are unique.",
                      traits.uid));
    }
    return named;
  }

  Outlets build_scan(const planner::Scan& scan) {
    Outlets outlets =
        add_source(planner::describe(scan),
                   scan.limit ? limited_source(scan.source, *scan.limit) : scan.source,
                   parallelism_);
    if (scan.watermark != nullptr) {
      outlets =
          add_operator(outlets, "SourceWatermark", translate_source_watermark(scan, context_));
    }
    return outlets;
  }

  Outlets build_exchange(const planner::Exchange& exchange) {
    Outlets outlets = build(*exchange.inputs.at(0));
    for (Outlet& outlet : outlets) {
      switch (exchange.distribution) {
        case planner::Distribution::kHash:
          outlet.partitioning = Partitioning::kHash;
          outlet.keys = exchange.keys;
          break;
        case planner::Distribution::kSingleton:
          outlet.partitioning = Partitioning::kSingleton;
          break;
        case planner::Distribution::kBroadcast:
          outlet.partitioning = Partitioning::kBroadcast;
          break;
        case planner::Distribution::kAny:
          outlet.partitioning = Partitioning::kRebalance;
          break;
      }
    }
    return outlets;
  }

  Outlets build_union(const PhysicalNode& node) {
    Outlets outlets;
    for (const PhysicalPtr& input : node.inputs) {
      const Outlets part = build(*input);
      outlets.insert(outlets.end(), part.begin(), part.end());
    }
    return outlets;
  }

  Outlets build_sink(const planner::Sink& sink) {
    Outlets outlets = build(*sink.inputs.at(0));
    if (auto check = translate_constraints(sink)) {
      outlets = add_operator(outlets, "ConstraintEnforcer", std::move(check));
    }
    if (sink.materializes) {
      for (Outlet& outlet : outlets) {
        outlet.partitioning = Partitioning::kHash;
        outlet.keys = primary_key_columns(sink.table);
      }
      outlets = add_operator(outlets, "SinkMaterializer", translate_materialize(sink, context_));
    }
    return add_sink(outlets,
                    planner::describe(sink),
                    sink.sink,
                    sink.sink->parallelism().value_or(parallelism_of(outlets)));
  }

  Outlets add_operator(const Outlets& inputs,
                       std::string name,
                       std::shared_ptr<const stream::OperatorFactory> factory) {
    runtime::Vertex& vertex = vertex_behind(inputs, parallelism_of(inputs));
    vertex.operators.push_back({next_operator_id(), std::move(name), std::move(factory)});
    return {{.vertex = vertex.id}};
  }

  Outlets add_sink(const Outlets& inputs,
                   std::string name,
                   std::shared_ptr<const stream::TableSink> sink,
                   int32_t parallelism) {
    runtime::Vertex& vertex = vertex_behind(inputs, parallelism);
    vertex.sink = runtime::SinkNode{next_operator_id(), std::move(name), std::move(sink)};
    return {};
  }

  /// The subtasks that whoever reads `inputs` runs with.
  int32_t parallelism_of(const Outlets& inputs) const {
    int32_t parallelism = 1;
    for (const Outlet& input : inputs) {
      switch (input.partitioning) {
        case Partitioning::kSingleton:
          return 1;
        case Partitioning::kForward:
          parallelism = std::max(parallelism, graph_.vertices[input.vertex].parallelism);
          break;
        default:
          parallelism = std::max(parallelism, parallelism_);
      }
    }
    return parallelism;
  }

  /// The vertex to put the next operator or sink on: the only input's own, when it can be chained.
  runtime::Vertex& vertex_behind(const Outlets& inputs, int32_t parallelism) {
    const Outlet& first = inputs.front();
    const bool chains = inputs.size() == 1 && first.partitioning == Partitioning::kForward &&
                        !first.is_shared &&
                        graph_.vertices[first.vertex].parallelism == parallelism;
    if (chains) {
      return graph_.vertices[first.vertex];
    }
    runtime::Vertex& vertex = add_vertex(parallelism);
    for (const Outlet& input : inputs) {
      Partitioning partitioning = input.partitioning;
      if (partitioning == Partitioning::kForward &&
          graph_.vertices[input.vertex].parallelism != parallelism) {
        partitioning = parallelism == 1 ? Partitioning::kSingleton : Partitioning::kRebalance;
      }
      graph_.edges.push_back({.from = input.vertex,
                              .to = vertex.id,
                              .input = 0,
                              .partitioning = partitioning,
                              .keys = input.keys});
    }
    return vertex;
  }

  runtime::Vertex& add_vertex(int32_t parallelism) {
    runtime::Vertex& vertex = graph_.vertices.emplace_back();
    vertex.id = static_cast<uint32_t>(graph_.vertices.size() - 1);
    vertex.parallelism = parallelism;
    return vertex;
  }

  OperatorId next_operator_id() { return {++last_operator_id_}; }

  static std::string name_of(const runtime::Vertex& vertex) {
    std::vector<std::string> parts;
    if (vertex.source) {
      parts.push_back("Source: " + vertex.source->name);
    }
    for (const runtime::ChainedOperator& chained : vertex.operators) {
      parts.push_back(chained.name);
    }
    if (vertex.sink) {
      parts.push_back(vertex.sink->name);
    }
    return fmt::format("{}", fmt::join(parts, " -> "));
  }

  int32_t parallelism_;
  TranslationContext context_;
  runtime::JobGraph graph_;
  std::unordered_map<const PhysicalNode*, int32_t> consumers_;
  std::unordered_map<const PhysicalNode*, Outlets> built_;
  uint32_t last_operator_id_ = 0;
  std::map<uint32_t, std::string> named_;
};

}  // namespace

runtime::JobGraph build_job(const planner::PhysicalPlan& plan,
                            const Configuration& config,
                            const std::string& name,
                            std::shared_ptr<const stream::TableSink> result_sink) {
  JobBuilder builder(plan, config);
  for (const PhysicalPtr& root : plan.roots) {
    builder.build_root(*root, root == plan.roots.back() ? result_sink : nullptr);
  }
  return builder.take(name);
}

}  // namespace thalweg::engine
