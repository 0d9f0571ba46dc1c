// CURRENT_DATE, LOCALTIMESTAMP, NOW, PROCTIME and so on: one value for each batch of rows, or in
// batch mode for the statement.
#include "thalweg/expression/session_zone.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/functions/time/time_values.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

class NowKernel final : public ScalarKernel {
 public:
  NowKernel(DataType type, bool per_row) : type_(std::move(type)), per_row_(per_row) {}

  ColumnPtr evaluate(std::span<const ColumnPtr>,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors&) override {
    zone_.of(context);
    const bool at_start = context.is_batch && !per_row_;
    int64_t ms = at_start ? context.statement_start.ms : context.now.ms;
    if (type_.kind() != TypeKind::kTimestampLtz) {
      ms = zone_.to_local(ms);
    }
    if (type_.kind() == TypeKind::kTime) {
      ms -= floor_modulo(ms, kMsPerSecond);
    }
    auto result = Column::make_constant(type_, rows);
    if (rows > 0) {
      set_time(*result, 0, ms);
    }
    return result;
  }

 private:
  DataType type_;
  bool per_row_;
  expression::SessionZone zone_;
};

ScalarFunction now_function(std::vector<std::string> names,
                            const DataType& type,
                            std::string description) {
  ScalarFunction function = documented(
      {names, fmt::format("'{}'", names.front()), std::move(description)}, strict({}, type));
  const bool per_row = names.front() == "CURRENT_ROW_TIMESTAMP" || names.front() == "PROCTIME";
  function.is_deterministic = !per_row;
  function.is_dynamic = !per_row;
  function.is_infallible = true;
  function.make_kernel = [per_row](const Signature& signature, std::span<const BoundArgument>) {
    return std::make_unique<NowKernel>(signature.result, per_row);
  };
  return function;
}

}  // namespace

void add_current_time(FunctionRegistry& registry) {
  registry.add(now_function({"CURRENT_DATE"}, DataType::date(), "Today in the session's zone."));
  registry.add(now_function(
      {"LOCALTIME", "CURRENT_TIME"}, DataType::time(0), "The time of day in the session's zone."));
  registry.add(now_function({"LOCALTIMESTAMP"},
                            DataType::timestamp(3),
                            "The present wall-clock time in the session's zone."));
  registry.add(now_function({"CURRENT_TIMESTAMP", "NOW"},
                            DataType::timestamp_ltz(3),
                            "The present instant; in batch mode the start of the statement."));
  registry.add(now_function({"CURRENT_ROW_TIMESTAMP"},
                            DataType::timestamp_ltz(3),
                            "The instant when the row is processed, in batch mode too."));
  registry.add(now_function({"PROCTIME"},
                            DataType::timestamp_ltz(3),
                            "The instant when the row is processed, as a time attribute."));
}

}  // namespace thalweg::functions
