#include "thalweg/connectors/kafka/split.h"

#include <charconv>
#include <string_view>

#include "thalweg/common/error.h"

namespace thalweg::connectors::kafka {
namespace {

template <typename Integer>
Integer parse(std::string_view text, const stream::Split& split) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorCode::kRestoreFailed,
                "State could not be restored: not a Kafka split: '" + split.id + "' at '" +
                    split.position + "'");
  }
  return value;
}

}  // namespace

stream::Split KafkaSplit::to_split() const {
  std::string position = std::to_string(offset);
  if (stop) {
    position += ".." + std::to_string(*stop);
  }
  return {partition.topic + "-" + std::to_string(partition.partition), std::move(position)};
}

KafkaSplit KafkaSplit::from_split(const stream::Split& split) {
  const std::string_view id = split.id;
  const std::string_view position = split.position;
  const size_t dash = id.rfind('-');
  KafkaSplit result;
  result.partition.partition =
      parse<int32_t>(id.substr(dash == std::string_view::npos ? id.size() : dash + 1), split);
  result.partition.topic = id.substr(0, dash);
  const size_t dots = position.find("..");
  result.offset = parse<int64_t>(position.substr(0, dots), split);
  if (dots != std::string_view::npos) {
    result.stop = parse<int64_t>(position.substr(dots + 2), split);
  }
  return result;
}

}  // namespace thalweg::connectors::kafka
