#pragma once

#include <memory>
#include <span>
#include <vector>

#include "thalweg/formats/json/json_options.h"
#include "thalweg/formats/json/json_plan.h"
#include "thalweg/formats/json/json_walker.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::formats {

/// Reads objects that look like one seen before: the same members in the same order, with values in
/// their usual spelling. Knows nothing of what is rare: that is the reader's. One owner, one
/// thread.
class JsonTemplate {
 public:
  JsonTemplate();
  ~JsonTemplate();
  JsonTemplate(JsonTemplate&&) noexcept;
  JsonTemplate& operator=(JsonTemplate&&) noexcept;

  /// Learns the members of the object that `plan` has met last.
  void learn(JsonPlan& plan, const JsonOptions& options);

  /// Appends one value to each builder and moves behind the object, whose brace is taken. False
  /// when it is not as expected: then the walker stands anywhere and the builders hold parts of it.
  bool read(JsonWalker& walker, std::span<ColumnBuilder> builders);

 private:
  /// How a value is read.
  enum class Way : uint8_t { kSkip, kText, kDouble, kBigInt, kTimestamp, kRow, kOther };

  /// The minute of the timestamp before: the next one is mostly of the same.
  struct Minute {
    uint64_t words[2] = {};
    int64_t ms = 0;
  };

  struct Member;

  static Way way_of(const DataType& type, const JsonOptions& options);
  bool read_value(Member& member, JsonWalker& walker, ColumnBuilder& builder) const;
  bool read_string(Member& member, std::string_view text, ColumnBuilder& builder) const;
  bool read_token(const Member& member, std::string_view token, ColumnBuilder& builder) const;
  bool read_timestamp(Minute& minute, std::string_view text, ColumnBuilder& builder) const;

  std::vector<Member> members_;
  const JsonOptions* options_ = nullptr;
};

}  // namespace thalweg::formats
