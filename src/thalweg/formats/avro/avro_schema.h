#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

namespace thalweg::formats::avro {

enum class NodeKind : uint8_t {
  kNull,
  kBoolean,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kBytes,
  kString,
  kRecord,
  kEnum,
  kArray,
  kMap,
  kUnion,
  kFixed,
};

enum class LogicalType : uint8_t {
  kNone,
  kDecimal,
  kDate,
  kTimeMillis,
  kTimeMicros,
  /// Instants and wall-clock times alike: both count from 1970 in UTC.
  kTimestampMillis,
  kTimestampMicros,
  kTimestampNanos,
};

struct Node;

struct RecordField {
  std::string name;
  const Node* type = nullptr;
  /// The default as JSON text; absent: none.
  std::optional<std::string> default_json = std::nullopt;
  std::vector<std::string> aliases = {};
};

/// One type in a schema. Named types may refer to themselves, so nodes are owned by their
/// AvroSchema.
struct Node {
  NodeKind kind = NodeKind::kNull;
  LogicalType logical = LogicalType::kNone;
  /// Full name of a record, enum or fixed.
  std::string name;
  std::vector<RecordField> fields = {};
  /// The branches of a union; the one element type of an array or map.
  std::vector<const Node*> children = {};
  std::vector<std::string> symbols = {};
  int64_t fixed_size = 0;
  int32_t precision = 0;
  int32_t scale = 0;
};

/// A parsed schema. Immutable; movable, as its nodes stay where they are.
class AvroSchema {
 public:
  AvroSchema(std::vector<std::unique_ptr<Node>> nodes, const Node* root)
      : nodes_(std::move(nodes)), root_(root) {}

  /// Throws kInvalidOption saying what is wrong.
  static AvroSchema parse(std::string_view json);

  const Node& root() const { return *root_; }

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
  const Node* root_;
};

/// How timestamps are mapped (Flink's option `timestamp_mapping.legacy`): true writes TIMESTAMP as
/// timestamp-millis and knows no TIMESTAMP_LTZ; false writes local-timestamp-* for TIMESTAMP and
/// timestamp-* for TIMESTAMP_LTZ.
struct TimestampMapping {
  bool legacy = true;
};

/// The schema that Flink derives for a table's columns, as JSON text: equal to what Flink
/// registers. Throws kUnsupportedFormatType.
std::string derive_schema(const Schema& columns, TimestampMapping mapping);

/// "long", "record org.x.Y", ... for messages.
std::string describe(const Node& node);

}  // namespace thalweg::formats::avro
