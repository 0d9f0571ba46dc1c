#include "thalweg/formats/avro/value_writer.h"

#include <algorithm>

#include "thalweg/common/error.h"
#include "thalweg/formats/avro/decimal_bytes.h"

namespace thalweg::formats::avro {
namespace {

using Writer = std::unique_ptr<ValueWriter>;

template <typename Function>
class FunctionWriter final : public ValueWriter {
 public:
  explicit FunctionWriter(Function function) : function_(std::move(function)) {}

  void write(const Column& column, int32_t row, std::string& out) const override {
    function_(column, row, out);
  }

 private:
  Function function_;
};

template <typename Function>
Writer writer_of(Function function) {
  return std::make_unique<FunctionWriter<Function>>(std::move(function));
}

[[noreturn]] void mismatch(const Node& schema, const DataType& type, const std::string& path) {
  throw Error(
      ErrorCode::kInvalidOption,
      fmt::format(
          "Avro schema does not fit the table: column '{}' of type {} can't be written as {}",
          path,
          type.to_string(),
          describe(schema)));
}

template <typename T>
void append_raw(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

void append_bytes(std::string& out, std::string_view bytes) {
  append_long(out, static_cast<int64_t>(bytes.size()));
  out += bytes;
}

/// From an integer column (dates and times too) to int, long, float or double.
template <typename T>
Writer integer_writer(const Node& schema, const DataType& type, const std::string& path) {
  switch (schema.kind) {
    case NodeKind::kInt:
    case NodeKind::kLong: {
      if (schema.kind == NodeKind::kInt && sizeof(T) == 8) {
        mismatch(schema, type, path);
      }
      const int64_t factor = schema.logical == LogicalType::kTimeMicros ? 1000 : 1;
      return writer_of([factor](const Column& column, int32_t row, std::string& out) {
        append_long(out, column.at<T>(row) * factor);
      });
    }
    case NodeKind::kFloat:
      return writer_of([](const Column& column, int32_t row, std::string& out) {
        append_raw(out, static_cast<float>(column.at<T>(row)));
      });
    case NodeKind::kDouble:
      return writer_of([](const Column& column, int32_t row, std::string& out) {
        append_raw(out, static_cast<double>(column.at<T>(row)));
      });
    default:
      mismatch(schema, type, path);
  }
}

template <typename T>
Writer approximate_writer(const Node& schema, const DataType& type, const std::string& path) {
  if (schema.kind == NodeKind::kDouble) {
    return writer_of([](const Column& column, int32_t row, std::string& out) {
      append_raw(out, static_cast<double>(column.at<T>(row)));
    });
  }
  if (schema.kind == NodeKind::kFloat && sizeof(T) == 4) {
    return writer_of([](const Column& column, int32_t row, std::string& out) {
      append_raw(out, column.at<T>(row));
    });
  }
  mismatch(schema, type, path);
}

Writer text_writer(const Node& schema, const DataType& type, const std::string& path) {
  if (schema.kind == NodeKind::kString || schema.kind == NodeKind::kBytes) {
    return writer_of([](const Column& column, int32_t row, std::string& out) {
      append_bytes(out, column.string_at(row));
    });
  }
  if (schema.kind == NodeKind::kFixed && type.is_binary()) {
    return writer_of([&schema, path](const Column& column, int32_t row, std::string& out) {
      const std::string_view value = column.string_at(row);
      if (static_cast<int64_t>(value.size()) != schema.fixed_size) {
        throw Error(ErrorCode::kEncodeFailed,
                    fmt::format("Avro {} takes {} bytes, column '{}' has {}",
                                describe(schema),
                                schema.fixed_size,
                                path,
                                value.size()));
      }
      out += value;
    });
  }
  if (schema.kind == NodeKind::kEnum && type.is_character()) {
    return writer_of([&schema, path](const Column& column, int32_t row, std::string& out) {
      const auto found =
          std::find(schema.symbols.begin(), schema.symbols.end(), column.string_at(row));
      if (found == schema.symbols.end()) {
        throw Error(ErrorCode::kEncodeFailed,
                    fmt::format("Avro {} has no symbol '{}', which column '{}' holds",
                                describe(schema),
                                column.string_at(row),
                                path));
      }
      append_long(out, found - schema.symbols.begin());
    });
  }
  mismatch(schema, type, path);
}

Writer decimal_writer(const Node& schema, const DataType& type, const std::string& path) {
  const bool same_scale = schema.logical != LogicalType::kDecimal || schema.scale == type.scale();
  if (schema.kind == NodeKind::kBytes && same_scale) {
    return writer_of([](const Column& column, int32_t row, std::string& out) {
      append_bytes(out, bytes_from_decimal(column.at<Int128>(row)));
    });
  }
  if (schema.kind == NodeKind::kFixed && same_scale) {
    return writer_of([size = static_cast<size_t>(schema.fixed_size), path](
                         const Column& column, int32_t row, std::string& out) {
      const std::string bytes = bytes_from_decimal(column.at<Int128>(row));
      if (bytes.size() > size) {
        throw Error(ErrorCode::kEncodeFailed,
                    fmt::format("Avro fixed of {} bytes is too small for column '{}'", size, path));
      }
      out.append(size - bytes.size(), column.at<Int128>(row) < 0 ? '\xff' : '\0');
      out += bytes;
    });
  }
  mismatch(schema, type, path);
}

Writer timestamp_writer(const Node& schema, const DataType& type, const std::string& path) {
  if (schema.kind != NodeKind::kLong) {
    mismatch(schema, type, path);
  }
  const int64_t per_second = schema.logical == LogicalType::kTimestampNanos    ? 1'000'000'000
                             : schema.logical == LogicalType::kTimestampMicros ? 1'000'000
                                                                               : 1000;
  if (type.physical() == PhysicalKind::kInt64) {
    return writer_of(
        [factor = per_second / 1000](const Column& column, int32_t row, std::string& out) {
          append_long(out, column.at<int64_t>(row) * factor);
        });
  }
  return writer_of(
      [divisor = 1'000'000'000 / per_second](const Column& column, int32_t row, std::string& out) {
        const Int128 value = column.at<Int128>(row);
        append_long(out, static_cast<int64_t>(value / divisor - (value % divisor < 0 ? 1 : 0)));
      });
}

Writer array_writer(const Node& schema, const DataType& type, const std::string& path) {
  if (schema.kind != NodeKind::kArray) {
    mismatch(schema, type, path);
  }
  return writer_of([inner = make_value_writer(*schema.children[0], type.child(0), path)](
                       const Column& column, int32_t row, std::string& out) {
    const int32_t begin = column.list_begin(row);
    const int32_t end = column.list_end(row);
    if (end > begin) {
      append_long(out, end - begin);
    }
    for (int32_t i = begin; i < end; ++i) {
      inner->write(*column.child(0), i, out);
    }
    out += '\0';
  });
}

Writer map_writer(const Node& schema, const DataType& type, const std::string& path) {
  if (schema.kind != NodeKind::kMap || !type.child(0).is_character()) {
    mismatch(schema, type, path);
  }
  const DataType value = type.kind() == TypeKind::kMap ? type.child(1) : DataType::integer();
  return writer_of([inner = make_value_writer(*schema.children[0], value, path), path](
                       const Column& column, int32_t row, std::string& out) {
    const int32_t begin = column.list_begin(row);
    const int32_t end = column.list_end(row);
    if (end > begin) {
      append_long(out, end - begin);
    }
    for (int32_t i = begin; i < end; ++i) {
      if (column.child(0)->is_null(i)) {
        throw Error(ErrorCode::kEncodeFailed,
                    "Avro does not allow a NULL key in a map: column '" + path + "'");
      }
      append_bytes(out, column.child(0)->string_at(i));
      inner->write(*column.child(1), i, out);
    }
    out += '\0';
  });
}

Writer row_writer(const Node& schema, const DataType& type, const std::string& path) {
  if (schema.kind != NodeKind::kRecord) {
    mismatch(schema, type, path);
  }
  return writer_of([record = RecordWriter(schema, type.fields(), path + ".")](
                       const Column& column, int32_t row, std::string& out) {
    record.write([&](size_t child) -> const Column& { return *column.child(child); },
                 column.is_constant() ? 0 : row,
                 out);
  });
}

Writer bare_writer(const Node& schema, const DataType& type, const std::string& path) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      if (schema.kind != NodeKind::kBoolean) {
        mismatch(schema, type, path);
      }
      return writer_of([](const Column& column, int32_t row, std::string& out) {
        out += column.at<uint8_t>(row) != 0 ? '\1' : '\0';
      });
    case TypeKind::kTinyInt:
      return integer_writer<int8_t>(schema, type, path);
    case TypeKind::kSmallInt:
      return integer_writer<int16_t>(schema, type, path);
    case TypeKind::kInt:
    case TypeKind::kDate:
    case TypeKind::kTime:
      return integer_writer<int32_t>(schema, type, path);
    case TypeKind::kBigInt:
      return integer_writer<int64_t>(schema, type, path);
    case TypeKind::kFloat:
      return approximate_writer<float>(schema, type, path);
    case TypeKind::kDouble:
      return approximate_writer<double>(schema, type, path);
    case TypeKind::kDecimal:
      return decimal_writer(schema, type, path);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return text_writer(schema, type, path);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp_writer(schema, type, path);
    case TypeKind::kArray:
      return array_writer(schema, type, path);
    case TypeKind::kMap:
    case TypeKind::kMultiset:
      return map_writer(schema, type, path);
    case TypeKind::kRow:
      return row_writer(schema, type, path);
    default:
      mismatch(schema, type, path);
  }
}

int branch_of_null(const Node& schema) {
  for (size_t i = 0; schema.kind == NodeKind::kUnion && i < schema.children.size(); ++i) {
    if (schema.children[i]->kind == NodeKind::kNull) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

/// Writes into the first branch that takes the type.
Writer union_writer(const Node& schema, const DataType& type, const std::string& path) {
  for (size_t i = 0; i < schema.children.size(); ++i) {
    const Node& branch = *schema.children[i];
    if (branch.kind == NodeKind::kNull) {
      continue;
    }
    Writer inner;
    try {
      inner = bare_writer(branch, type, path);
    } catch (const Error&) {
      continue;
    }
    return writer_of([inner = std::move(inner),
                      index = static_cast<int64_t>(i),
                      null_branch = branch_of_null(schema),
                      path](const Column& column, int32_t row, std::string& out) {
      if (!column.is_null(row)) {
        append_long(out, index);
        inner->write(column, row, out);
      } else if (null_branch >= 0) {
        append_long(out, null_branch);
      } else {
        throw Error(ErrorCode::kEncodeFailed,
                    "Avro schema allows no NULL in column '" + path + "'");
      }
    });
  }
  mismatch(schema, type, path);
}

}  // namespace

void append_long(std::string& out, int64_t value) {
  auto bits = static_cast<uint64_t>(value) << 1U ^ static_cast<uint64_t>(value >> 63);
  while (bits >= 0x80) {
    out += static_cast<char>(bits | 0x80U);
    bits >>= 7U;
  }
  out += static_cast<char>(bits);
}

std::unique_ptr<ValueWriter> make_value_writer(const Node& schema,
                                               const DataType& type,
                                               const std::string& path) {
  if (schema.kind == NodeKind::kUnion) {
    return union_writer(schema, type, path);
  }
  if (!type.is_nullable()) {
    return bare_writer(schema, type, path);
  }
  return writer_of([inner = bare_writer(schema, type, path), path](
                       const Column& column, int32_t row, std::string& out) {
    if (column.is_null(row)) {
      throw Error(ErrorCode::kEncodeFailed, "Avro schema allows no NULL in column '" + path + "'");
    }
    inner->write(column, row, out);
  });
}

RecordWriter::RecordWriter(const Node& schema,
                           const std::vector<Field>& fields,
                           const std::string& path) {
  for (const RecordField& field : schema.fields) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& column) {
      return column.name == field.name;
    });
    Step step;
    if (found != fields.end()) {
      step.column = static_cast<size_t>(found - fields.begin());
      step.writer = make_value_writer(*field.type, found->type, path + found->name);
    } else if (const int null_branch = branch_of_null(*field.type); null_branch >= 0) {
      step.null_branch = null_branch;
    } else {
      throw Error(ErrorCode::kInvalidOption,
                  "Avro schema does not fit the table: field '" + path + field.name +
                      "' has no column and allows no null");
    }
    steps_.push_back(std::move(step));
  }
  for (const Field& column : fields) {
    const bool written =
        std::any_of(schema.fields.begin(), schema.fields.end(), [&](const RecordField& field) {
          return field.name == column.name;
        });
    if (!written) {
      throw Error(ErrorCode::kInvalidOption,
                  "Avro schema does not fit the table: it has no field for column '" + path +
                      column.name + "'");
    }
  }
}

}  // namespace thalweg::formats::avro
