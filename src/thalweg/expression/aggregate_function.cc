#include "thalweg/expression/aggregate_function.h"

#include "thalweg/common/check.h"

namespace thalweg::expression {

void AggregateKernel::retract(const AggregateInput& input, const Accumulators& accumulators) const {
  static_cast<void>(input);
  static_cast<void>(accumulators);
  unreachable("an aggregate without retraction was asked to retract");
}

void AggregateKernel::update_rows(const AggregateInput& input,
                                  std::span<const RowKind> kinds,
                                  std::span<const uint8_t> counts,
                                  const Accumulators& accumulators,
                                  ColumnBuilder& before,
                                  ColumnBuilder& after) const {
  for (size_t i = 0; i < input.rows.size(); ++i) {
    const Accumulators one{
        accumulators.records.subspan(i, 1), accumulators.offsets, accumulators.memory};
    append_results(one, before);
    if (counts.empty() || counts[i] != 0) {
      const AggregateInput row{input.arguments, input.rows.subspan(i, 1)};
      if (kinds.empty() || is_accumulate(kinds[i])) {
        accumulate(row, one);
      } else {
        retract(row, one);
      }
    }
    append_results(one, after);
  }
}

}  // namespace thalweg::expression
