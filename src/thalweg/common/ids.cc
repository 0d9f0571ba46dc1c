#include "thalweg/common/ids.h"

#include <random>

#include <fmt/format.h>

namespace thalweg {

JobId JobId::random() {
  std::random_device device;
  const auto word = [&device] { return (uint64_t{device()} << 32U) | device(); };
  return {word(), word()};
}

std::string JobId::to_string() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

KeyGroupRange key_groups_of(int32_t subtask, int32_t parallelism) {
  const auto first_of = [parallelism](int32_t index) {
    return static_cast<uint16_t>((index * kKeyGroups + parallelism - 1) / parallelism);
  };
  return {first_of(subtask), first_of(subtask + 1)};
}

}  // namespace thalweg
