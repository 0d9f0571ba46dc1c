#include <algorithm>
#include <array>

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
  } else if (name == "listagg") {
    parts = {"accDelimiter", "concatAcc"};
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

/// How a batch aggregate keeps a call's state, which decides how the plan looks.
enum class Keeping : uint8_t {
  /// A few values of fixed size: hashed.
  kFixed,
  /// Texts and the like: sorted.
  kVariable,
  /// An object of the function's own: sorted, and passed on under the result's name.
  kObject,
  /// An object that cannot be merged: sorted, in one phase.
  kUnmergeable,
};

Keeping keeping_of(const AggregateCall& call) {
  static constexpr std::array<std::string_view, 5> kUnmergeable = {
      "FIRST_VALUE", "LAST_VALUE", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "SINGLE_VALUE"};
  static constexpr std::array<std::string_view, 5> kFixed = {"COUNT", "SUM", "AVG", "MIN", "MAX"};
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), call.function->name()) != names.end();
  };
  if (is_in(kUnmergeable)) {
    return Keeping::kUnmergeable;
  }
  if (call.function->name() == "LISTAGG") {
    return Keeping::kVariable;
  }
  if (!is_in(kFixed)) {
    return Keeping::kObject;
  }
  const DataType& type = call.signature.result;
  return type.is_character() || type.is_binary() ? Keeping::kVariable : Keeping::kFixed;
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
    const bool is_object = is_batch && keeping_of(calls[i]) == Keeping::kObject;
    const std::vector<std::string> buffers =
        is_object ? std::vector<std::string>{output[first_output + i].name}
                  : buffer_names(calls[i], next);
    texts.buffers.insert(texts.buffers.end(), buffers.begin(), buffers.end());
    const std::string local = in_parentheses_when_several(buffers);
    texts.local.push_back(fmt::format("{}{} AS {}",
                                      is_batch ? "Partial_" : "",
                                      call_text(calls[i], input, PlanStyle::kPhysical),
                                      local));
    texts.global.push_back(
        fmt::format("{}{}({}) AS {}",
                    is_batch ? "Final_" : "",
                    calls[i].function->name(),
                    is_batch ? fmt::format("{}", fmt::join(buffers, ", ")) : local,
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

namespace {

/// The rows sorted by the keys, where there are any.
PhysicalPtr sorted_by(PhysicalPtr input, const std::vector<ColumnIndex>& keys) {
  if (keys.empty()) {
    return input;
  }
  auto sort = std::make_shared<Sort>();
  sort->schema = input->schema;
  for (const ColumnIndex key : keys) {
    sort->keys.push_back({key, false, true});
  }
  sort->emits_at_end = true;
  sort->is_bounded = input->is_bounded;
  sort->inputs = {std::move(input)};
  return sort;
}

PhysicalPtr one_sorted_phase(const std::shared_ptr<GroupAggregate>& complete) {
  auto shown = std::make_shared<GroupAggregate>(*complete);
  shown->is_sorted = true;
  shown->inputs = {sorted_by(complete->inputs[0], complete->keys)};
  shown->execution = complete;
  return shown;
}

}  // namespace

PhysicalPtr two_phase_aggregate(const std::shared_ptr<GroupAggregate>& complete,
                                const PhysicalPtr& input) {
  const bool has_foreign =
      std::any_of(complete->calls.begin(), complete->calls.end(), [](const AggregateCall& call) {
        return call.function->is_foreign;
      });
  if (has_distinct(complete->calls) || has_foreign) {
    return nullptr;
  }
  Keeping keeping = Keeping::kFixed;
  for (const AggregateCall& call : complete->calls) {
    keeping = std::max(keeping, keeping_of(call));
  }
  if (keeping == Keeping::kUnmergeable) {
    return one_sorted_phase(complete);
  }
  const bool is_sorted = keeping != Keeping::kFixed;
  const size_t key_count = complete->keys.size();
  const PhaseTexts texts =
      phase_texts(complete->calls, input->schema, complete->schema, key_count, true);
  auto local = std::make_shared<GroupAggregate>(*complete);
  local->phase = AggregatePhase::kLocal;
  local->inputs = {input};
  local->call_texts = texts.local;
  local->schema = local_schema(complete->keys, input->schema, texts.buffers);
  local->is_sorted = is_sorted;
  if (is_sorted) {
    local->inputs = {sorted_by(input, complete->keys)};
  }
  auto global = std::make_shared<GroupAggregate>(*complete);
  global->phase = AggregatePhase::kGlobal;
  global->keys = leading_columns(key_count);
  global->call_texts = texts.global;
  global->is_sorted = is_sorted;
  PhysicalPtr gathered = exchange_by(std::move(local), leading_columns(key_count));
  global->inputs = {is_sorted ? sorted_by(std::move(gathered), leading_columns(key_count))
                              : std::move(gathered)};
  global->execution = complete;
  return global;
}

}  // namespace thalweg::planner
