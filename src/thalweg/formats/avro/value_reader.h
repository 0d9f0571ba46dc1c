#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/formats/avro/avro_input.h"
#include "thalweg/formats/avro/avro_schema.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::formats::avro {

/// Reads one value, written by some schema, into a column of some type. Made once for each pair;
/// immutable.
class ValueReader {
 public:
  virtual ~ValueReader() = default;
  virtual void read(AvroInput& in, ColumnBuilder& out) const = 0;
};

/// Follows Avro's rules of schema resolution, and Flink's mapping of types. `reader`, when given,
/// is the schema the user expects: its aliases and defaults count. Throws AvroFault when a value of
/// `writer` never fits `type`.
std::unique_ptr<ValueReader> make_value_reader(const Node& writer,
                                               const DataType& type,
                                               const Node* reader);

/// Passes over one value.
void skip_value(AvroInput& in, const Node& writer);

/// Reads the fields of a writer's record into columns; a column that the writer lacks gets NULL or
/// the reader's default.
class RecordReader {
 public:
  /// `fields`: name and type of each column. Nodes outlive this.
  RecordReader(const Node& writer, const std::vector<Field>& fields, const Node* reader);

  /// One value is appended to each column; `column(i)` gives the i-th.
  template <typename ColumnOf>
  void read(AvroInput& in, ColumnOf&& column) const {
    for (const Step& step : steps_) {
      if (step.reader == nullptr) {
        skip_value(in, *step.skipped);
      } else {
        step.reader->read(in, column(step.column));
      }
    }
    for (const Missing& missing : missing_) {
      column(missing.column).append_value(missing.value);
    }
  }

 private:
  struct Step {
    std::unique_ptr<ValueReader> reader;
    const Node* skipped = nullptr;
    size_t column = 0;
  };

  struct Missing {
    size_t column = 0;
    Value value;
  };

  std::vector<Step> steps_;
  std::vector<Missing> missing_;
};

/// A default of a reader's field as a value of `type`. Throws AvroFault when it does not fit.
Value default_value(const std::string& json, const DataType& type);

}  // namespace thalweg::formats::avro
