#include "thalweg/catalog/like_merge.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace thalweg::catalog {

namespace {

using sql::ColumnKind;
using sql::LikeFeature;
using sql::MergingStrategy;
using Strategies = std::map<LikeFeature, MergingStrategy>;

constexpr LikeFeature kFeatures[] = {LikeFeature::kConstraints,
                                     LikeFeature::kDistribution,
                                     LikeFeature::kGenerated,
                                     LikeFeature::kMetadata,
                                     LikeFeature::kOptions,
                                     LikeFeature::kPartitions,
                                     LikeFeature::kWatermarks};

bool may_overwrite(LikeFeature feature) {
  return feature == LikeFeature::kOptions || feature == LikeFeature::kGenerated ||
         feature == LikeFeature::kWatermarks || feature == LikeFeature::kMetadata;
}

void check_options(const sql::TableLike& like) {
  std::vector<LikeFeature> seen;
  for (const sql::LikeOption& option : like.options) {
    if (option.strategy == MergingStrategy::kOverwriting && !may_overwrite(option.feature)) {
      throw Error(ErrorCode::kValidation,
                  "Illegal merging strategy 'OVERWRITING' for this option of LIKE.")
          .at(option.position)
          .hint("OVERWRITING goes with GENERATED, METADATA, OPTIONS and WATERMARKS");
    }
    if (std::find(seen.begin(), seen.end(), option.feature) != seen.end()) {
      throw Error(ErrorCode::kValidation, "Each like option feature can be declared only once.")
          .at(option.position);
    }
    seen.push_back(option.feature);
  }
}

Strategies strategies_of(const sql::TableLike& like) {
  Strategies strategies;
  for (const LikeFeature feature : kFeatures) {
    strategies[feature] = feature == LikeFeature::kOptions ? MergingStrategy::kOverwriting
                                                           : MergingStrategy::kIncluding;
  }
  for (const sql::LikeOption& option : like.options) {
    if (option.feature == LikeFeature::kAll) {
      for (const LikeFeature feature : kFeatures) {
        strategies[feature] = option.strategy;
      }
    }
  }
  for (const sql::LikeOption& option : like.options) {
    if (option.feature != LikeFeature::kAll) {
      strategies[option.feature] = option.strategy;
    }
  }
  return strategies;
}

[[noreturn]] void refuse(std::string message) {
  throw Error(ErrorCode::kInvalidTable, std::move(message));
}

bool is_excluded(const sql::ColumnDefinition& column, const Strategies& strategies) {
  const bool computed = column.kind == ColumnKind::kComputed &&
                        strategies.at(LikeFeature::kGenerated) == MergingStrategy::kExcluding;
  const bool metadata = column.kind == ColumnKind::kMetadata &&
                        strategies.at(LikeFeature::kMetadata) == MergingStrategy::kExcluding;
  return computed || metadata;
}

void replace_column(sql::ColumnDefinition& base,
                    const sql::ColumnDefinition& derived,
                    const Strategies& strategies) {
  const std::string& name = derived.name.text;
  if (derived.kind == ColumnKind::kPhysical || base.kind != derived.kind) {
    throw Error(ErrorCode::kInvalidTable,
                fmt::format("A column named '{}' already exists in the base table.", name))
        .at(derived.position);
  }
  const bool computed = derived.kind == ColumnKind::kComputed;
  const LikeFeature feature = computed ? LikeFeature::kGenerated : LikeFeature::kMetadata;
  if (strategies.at(feature) != MergingStrategy::kOverwriting) {
    const std::string_view word = computed ? "GENERATED" : "METADATA";
    throw Error(
        ErrorCode::kInvalidTable,
        fmt::format(
            "A {0} column named '{1}' already exists in the base table. You might want to specify "
            "EXCLUDING {2} or OVERWRITING {2}.",
            computed ? "generated" : "metadata",
            name,
            word))
        .at(derived.position);
  }
  base = derived;
}

std::vector<sql::ColumnDefinition> merge_columns(const CatalogTable& source,
                                                 const CatalogTable& derived,
                                                 const Strategies& strategies) {
  std::vector<sql::ColumnDefinition> columns;
  for (const sql::ColumnDefinition& column : source.columns) {
    if (!is_excluded(column, strategies)) {
      columns.push_back(column);
    }
  }
  const size_t from_source = columns.size();
  for (const sql::ColumnDefinition& column : derived.columns) {
    const auto end = columns.begin() + static_cast<std::ptrdiff_t>(from_source);
    const auto base =
        std::find_if(columns.begin(), end, [&column](const sql::ColumnDefinition& one) {
          return one.name.text == column.name.text;
        });
    if (base == end) {
      columns.push_back(column);
    } else {
      replace_column(*base, column, strategies);
    }
  }
  return columns;
}

std::optional<PrimaryKey> merge_key(const CatalogTable& source,
                                    const CatalogTable& derived,
                                    MergingStrategy strategy) {
  if (strategy == MergingStrategy::kExcluding || !source.primary_key) {
    return derived.primary_key;
  }
  if (derived.primary_key) {
    refuse(
        "The base table already has a primary key. You might want to specify EXCLUDING "
        "CONSTRAINTS.");
  }
  return source.primary_key;
}

std::optional<sql::WatermarkDefinition> merge_watermark(const CatalogTable& source,
                                                        const CatalogTable& derived,
                                                        MergingStrategy strategy) {
  if (strategy == MergingStrategy::kExcluding || !source.watermark) {
    return derived.watermark;
  }
  if (!derived.watermark) {
    return source.watermark;
  }
  if (strategy == MergingStrategy::kIncluding) {
    refuse(
        fmt::format("There already exists a watermark spec for column '{}' in the base table. You "
                    "might want to "
                    "specify EXCLUDING WATERMARKS or OVERWRITING WATERMARKS.",
                    source.watermark->column.dotted()));
  }
  return derived.watermark;
}

/// Flink takes the source's partitions and distribution even when EXCLUDING is written and the
/// statement has none of its own (MergeTableLikeUtil.mergePartitions, 2.3).
std::vector<std::string> merge_partitions(const CatalogTable& source,
                                          const CatalogTable& derived,
                                          MergingStrategy strategy) {
  if (!source.partition_keys.empty() && !derived.partition_keys.empty() &&
      strategy != MergingStrategy::kExcluding) {
    refuse(
        "The base table already has partitions defined. You might want to specify EXCLUDING "
        "PARTITIONS.");
  }
  return derived.partition_keys.empty() ? source.partition_keys : derived.partition_keys;
}

std::optional<sql::Distribution> merge_distribution(const CatalogTable& source,
                                                    const CatalogTable& derived,
                                                    MergingStrategy strategy) {
  if (source.distribution && derived.distribution && strategy != MergingStrategy::kExcluding) {
    refuse(
        "The base table already has a distribution defined. You might want to specify EXCLUDING "
        "DISTRIBUTION.");
  }
  return derived.distribution ? derived.distribution : source.distribution;
}

OptionMap merge_options(const CatalogTable& source,
                        const CatalogTable& derived,
                        MergingStrategy strategy) {
  if (strategy == MergingStrategy::kExcluding) {
    return derived.options;
  }
  OptionMap options = source.options;
  for (const auto& [key, value] : derived.options) {
    const auto [found, added] = options.try_emplace(key, value);
    if (!added && strategy == MergingStrategy::kIncluding) {
      refuse(
          fmt::format("There already exists an option ['{}' -> '{}']  in the base table. You might "
                      "want to specify "
                      "EXCLUDING OPTIONS or OVERWRITING OPTIONS.",
                      key,
                      found->second));
    }
    found->second = value;
  }
  return options;
}

}  // namespace

CatalogTable merge_like(const CatalogTable& source,
                        CatalogTable derived,
                        const sql::TableLike& like) {
  check_options(like);
  const Strategies strategies = strategies_of(like);
  CatalogTable merged;
  merged.columns = merge_columns(source, derived, strategies);
  merged.watermark = merge_watermark(source, derived, strategies.at(LikeFeature::kWatermarks));
  merged.primary_key = merge_key(source, derived, strategies.at(LikeFeature::kConstraints));
  merged.distribution =
      merge_distribution(source, derived, strategies.at(LikeFeature::kDistribution));
  merged.partition_keys =
      merge_partitions(source, derived, strategies.at(LikeFeature::kPartitions));
  merged.options = merge_options(source, derived, strategies.at(LikeFeature::kOptions));
  merged.comment = std::move(derived.comment);
  return merged;
}

}  // namespace thalweg::catalog
