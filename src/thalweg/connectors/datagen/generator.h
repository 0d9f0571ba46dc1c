#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "thalweg/connectors/datagen/random_bits.h"
#include "thalweg/stream/option.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::connectors {

/// What a value may depend on.
struct GeneratedRow {
  /// Counts from 0 over all readers.
  int64_t index = 0;
  int64_t now_ms = 0;
  uint64_t seed = 0;
};

/// Makes the values of one column. Immutable, shared by the readers of a source.
class Generator {
 public:
  virtual ~Generator() = default;
  virtual void append(const GeneratedRow& row,
                      RandomBits& random,
                      ColumnBuilder& builder) const = 0;

  /// The number of values there are, for sequences.
  virtual std::optional<int64_t> limit() const { return std::nullopt; }
};

/// The generator of a column by its options ('fields.<name>.*'). Throws option errors and
/// kNotSupported.
std::unique_ptr<const Generator> make_generator(const std::string& name,
                                                const DataType& type,
                                                const stream::Options& options);

/// The generators of each kind of 'fields.<name>.kind'.
std::unique_ptr<const Generator> make_random_generator(const std::string& name,
                                                       const DataType& type,
                                                       const stream::Options& options);
std::unique_ptr<const Generator> make_sequence_generator(const std::string& name,
                                                         const DataType& type,
                                                         const stream::Options& options);

/// Dates and times, which are near the present one whatever the kind; null for other types.
std::unique_ptr<const Generator> make_time_generator(const std::string& name,
                                                     const DataType& type,
                                                     const stream::Options& options);

}  // namespace thalweg::connectors
