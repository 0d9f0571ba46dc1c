#include <fmt/format.h>

#include "thalweg/planner/physical_planner.h"
#include "thalweg/planner/plan_text.h"

namespace thalweg::planner {

using expression::AggregateCall;

namespace {

/// The accumulator columns of a call between its two phases, by Flink's names.
std::vector<std::string> buffer_names(const AggregateCall& call, size_t& next) {
  std::string name = call.function->name();
  for (char& c : name) {
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  std::vector<std::string> parts;
  if (name == "avg") {
    parts = {"sum", "count"};
  } else if (name == "count" && call.arguments.empty()) {
    parts = {"count1"};
  } else {
    parts = {name};
  }
  for (std::string& part : parts) {
    part += fmt::format("${}", next++);
  }
  return parts;
}

std::string in_parentheses_when_several(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts.front() : fmt::format("({})", fmt::join(parts, ", "));
}

/// How the two halves of an aggregate write its calls.
struct PhaseTexts {
  std::vector<std::string> local;
  std::vector<std::string> global;
  std::vector<std::string> buffers;
};

PhaseTexts phase_texts(const std::vector<AggregateCall>& calls,
                       const Schema& input,
                       const Schema& output,
                       size_t first_output,
                       bool is_batch) {
  PhaseTexts texts;
  size_t next = 0;
  for (size_t i = 0; i < calls.size(); ++i) {
    const std::vector<std::string> buffers = buffer_names(calls[i], next);
    texts.buffers.insert(texts.buffers.end(), buffers.begin(), buffers.end());
    const std::string local = in_parentheses_when_several(buffers);
    texts.local.push_back(fmt::format("{}{} AS {}",
                                      is_batch ? "Partial_" : "",
                                      call_text(calls[i], input, PlanStyle::kPhysical),
                                      local));
    texts.global.push_back(fmt::format("{}{}({}) AS {}",
                                       is_batch ? "Final_" : "",
                                       calls[i].function->name(),
                                       local,
                                       output[first_output + i].name));
  }
  return texts;
}

/// The local half's output: the keys, the accumulators (opaque to readers of the plan).
Schema local_schema(const std::vector<ColumnIndex>& keys,
                    const Schema& input,
                    const std::vector<std::string>& buffers) {
  Schema schema;
  for (const ColumnIndex key : keys) {
    schema.push_back(input[static_cast<size_t>(key.value)]);
  }
  for (const std::string& buffer : buffers) {
    schema.push_back({buffer, DataType::big_int()});
  }
  return schema;
}

std::vector<ColumnIndex> leading_columns(size_t count) {
  std::vector<ColumnIndex> columns;
  for (size_t i = 0; i < count; ++i) {
    columns.push_back({static_cast<int32_t>(i)});
  }
  return columns;
}

bool has_distinct(const std::vector<AggregateCall>& calls) {
  for (const AggregateCall& call : calls) {
    if (call.distinct) {
      return true;
    }
  }
  return false;
}

}  // namespace

PhysicalPtr two_phase_window(const std::shared_ptr<WindowAggregate>& complete,
                             const PhysicalPtr& input) {
  const bool is_sliced = complete->window.kind != WindowKind::kSession &&
                         complete->window.source == WindowSource::kTimeColumn &&
                         complete->window.is_row_time && !complete->needs_retract &&
                         !has_distinct(complete->calls);
  if (!is_sliced) {
    return nullptr;
  }
  const size_t key_count = complete->keys.size();
  const PhaseTexts texts =
      phase_texts(complete->calls, input->schema, complete->schema, key_count, false);
  auto local = std::make_shared<WindowAggregate>(*complete);
  local->phase = AggregatePhase::kLocal;
  local->inputs = {input};
  local->properties.clear();
  local->call_texts = texts.local;
  local->schema = local_schema(complete->keys, input->schema, texts.buffers);
  local->schema.push_back({"$slice_end", DataType::big_int()});
  const auto slice_end = static_cast<int32_t>(local->schema.size() - 1);
  auto global = std::make_shared<WindowAggregate>(*complete);
  global->phase = AggregatePhase::kGlobal;
  global->keys = leading_columns(key_count);
  global->call_texts = texts.global;
  global->window.source = WindowSource::kSliceEnd;
  global->window.window_end = {slice_end};
  global->inputs = {exchange_by(std::move(local), leading_columns(key_count))};
  global->execution = complete;
  return global;
}

PhysicalPtr two_phase_aggregate(const std::shared_ptr<GroupAggregate>& complete,
                                const PhysicalPtr& input) {
  if (has_distinct(complete->calls)) {
    return nullptr;
  }
  const size_t key_count = complete->keys.size();
  const PhaseTexts texts =
      phase_texts(complete->calls, input->schema, complete->schema, key_count, true);
  auto local = std::make_shared<GroupAggregate>(*complete);
  local->phase = AggregatePhase::kLocal;
  local->inputs = {input};
  local->call_texts = texts.local;
  local->schema = local_schema(complete->keys, input->schema, texts.buffers);
  auto global = std::make_shared<GroupAggregate>(*complete);
  global->phase = AggregatePhase::kGlobal;
  global->keys = leading_columns(key_count);
  global->call_texts = texts.global;
  global->inputs = {exchange_by(std::move(local), leading_columns(key_count))};
  global->execution = complete;
  return global;
}

}  // namespace thalweg::planner
