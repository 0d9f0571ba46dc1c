#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/formats/avro/avro_schema.h"
#include "thalweg/types/column.h"

namespace thalweg::formats::avro {

/// Appends values of one column type in Avro's binary encoding. Made once for a column; immutable.
class ValueWriter {
 public:
  virtual ~ValueWriter() = default;
  /// Throws kEncodeFailed for a NULL where the schema allows none.
  virtual void write(const Column& column, int32_t row, std::string& out) const = 0;
};

/// Throws kInvalidOption when values of `type` can't be written as `schema`. `path` names the
/// column in errors.
std::unique_ptr<ValueWriter> make_value_writer(const Node& schema,
                                               const DataType& type,
                                               const std::string& path);

/// For each field of the record, the column of that name and its writer; a field without a column
/// must allow null.
class RecordWriter {
 public:
  RecordWriter(const Node& schema, const std::vector<Field>& fields, const std::string& path);

  template <typename ColumnOf>
  void write(ColumnOf&& column, int32_t row, std::string& out) const {
    for (const Step& step : steps_) {
      if (step.writer == nullptr) {
        out += static_cast<char>(step.null_branch << 1);
      } else {
        step.writer->write(column(step.column), row, out);
      }
    }
  }

 private:
  struct Step {
    std::unique_ptr<ValueWriter> writer;
    size_t column = 0;
    int null_branch = 0;
  };

  std::vector<Step> steps_;
};

/// Zig-zag variable-length.
void append_long(std::string& out, int64_t value);

}  // namespace thalweg::formats::avro
