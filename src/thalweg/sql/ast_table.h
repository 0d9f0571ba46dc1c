#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/sql/ast_expression.h"

// The parts of a table definition.

namespace thalweg::sql {

enum class ColumnKind : uint8_t { kPhysical, kComputed, kMetadata };

struct ColumnDefinition {
  ColumnKind kind = ColumnKind::kPhysical;
  Identifier name;
  DataType type;  // physical and metadata columns; inner and outer NOT NULL included
  SourcePosition type_position = {};
  ExprPtr expr;                             // computed columns
  std::optional<std::string> metadata_key;  // METADATA FROM 'key'
  bool is_virtual = false;                  // METADATA ... VIRTUAL
  bool primary_key = false;                 // `a INT PRIMARY KEY NOT ENFORCED`
  std::optional<std::string> comment;
  SourcePosition position = {};
};

struct TableConstraint {
  std::optional<Identifier> name;
  bool unique = false;  // otherwise PRIMARY KEY
  std::vector<Identifier> columns;
  bool enforced = true;
  SourcePosition position = {};
};

struct WatermarkDefinition {
  ObjectName column;  // compound for a field of a row column
  ExprPtr expr;
  SourcePosition position = {};
};

enum class DistributionKind : uint8_t { kUnspecified, kHash, kRange };

/// DISTRIBUTED BY HASH(a, b) INTO 4 BUCKETS.
struct Distribution {
  DistributionKind kind = DistributionKind::kUnspecified;
  std::vector<Identifier> columns;
  std::optional<int64_t> buckets;
};

enum class MergingStrategy : uint8_t { kIncluding, kExcluding, kOverwriting };

enum class LikeFeature : uint8_t {
  kAll,
  kConstraints,
  kDistribution,
  kGenerated,
  kMetadata,
  kOptions,
  kPartitions,
  kWatermarks,
};

struct LikeOption {
  MergingStrategy strategy = MergingStrategy::kIncluding;
  LikeFeature feature = LikeFeature::kAll;
  SourcePosition position = {};
};

struct TableLike {
  ObjectName source;
  std::vector<LikeOption> options;
};

}  // namespace thalweg::sql
