#include "thalweg/functions/flink_names.h"

namespace thalweg::functions {

std::span<const FlinkName> flink_names() {
  using enum FlinkStanding;
  static constexpr FlinkName kNames[] = {
#define THALWEG_FLINK_NAME(name, standing, here) {name, standing, here},
#include "thalweg/functions/flink_names.def"
#undef THALWEG_FLINK_NAME
  };
  return kNames;
}

}  // namespace thalweg::functions
