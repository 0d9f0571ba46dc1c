#include "thalweg/formats/avro/value_reader.h"

#include <algorithm>

#include "thalweg/formats/avro/decimal_bytes.h"

namespace thalweg::formats::avro {
namespace {

using Reader = std::unique_ptr<ValueReader>;

template <typename Function>
class FunctionReader final : public ValueReader {
 public:
  explicit FunctionReader(Function function) : function_(std::move(function)) {}

  void read(AvroInput& in, ColumnBuilder& out) const override { function_(in, out); }

 private:
  Function function_;
};

template <typename Function>
Reader reader_of(Function function) {
  return std::make_unique<FunctionReader<Function>>(std::move(function));
}

[[noreturn]] void mismatch(const Node& writer, const DataType& type) {
  throw AvroFault{"it was written as " + describe(writer) + ", which can't be read as " +
                  type.to_string()};
}

bool is_integer(const Node& node) {
  return node.kind == NodeKind::kInt || node.kind == NodeKind::kLong;
}

/// Narrow columns take ints as Java's narrowing does.
template <typename T>
Reader integer_reader(const Node& writer, const DataType& type) {
  if (writer.kind != NodeKind::kInt && !(sizeof(T) == 8 && writer.kind == NodeKind::kLong)) {
    mismatch(writer, type);
  }
  return reader_of(
      [](AvroInput& in, ColumnBuilder& out) { out.append(static_cast<T>(in.read_long())); });
}

template <typename T>
Reader approximate_reader(const Node& writer, const DataType& type) {
  if (is_integer(writer)) {
    return reader_of(
        [](AvroInput& in, ColumnBuilder& out) { out.append(static_cast<T>(in.read_long())); });
  }
  if (writer.kind == NodeKind::kFloat) {
    return reader_of([](AvroInput& in, ColumnBuilder& out) {
      out.append(static_cast<T>(in.read_fixed_width<float>()));
    });
  }
  if (writer.kind == NodeKind::kDouble && sizeof(T) == 8) {
    return reader_of(
        [](AvroInput& in, ColumnBuilder& out) { out.append(in.read_fixed_width<T>()); });
  }
  mismatch(writer, type);
}

Reader bytes_reader(const Node& writer, const DataType& type) {
  if (writer.kind == NodeKind::kString || writer.kind == NodeKind::kBytes) {
    return reader_of([](AvroInput& in, ColumnBuilder& out) { out.append_string(in.read_bytes()); });
  }
  if (writer.kind == NodeKind::kFixed && type.is_binary()) {
    return reader_of([size = static_cast<uint64_t>(writer.fixed_size)](
                         AvroInput& in, ColumnBuilder& out) { out.append_string(in.take(size)); });
  }
  if (writer.kind == NodeKind::kEnum && type.is_character()) {
    return reader_of([&symbols = writer.symbols](AvroInput& in, ColumnBuilder& out) {
      const auto index = static_cast<uint64_t>(in.read_long());
      if (index >= symbols.size()) {
        throw AvroFault{"an enum has no symbol " + std::to_string(index)};
      }
      out.append_string(symbols[index]);
    });
  }
  mismatch(writer, type);
}

Int128 power_of_ten(int32_t exponent) {
  Int128 result = 1;
  for (; exponent > 0; --exponent) {
    result *= 10;
  }
  return result;
}

/// A decimal of another scale is rounded half up; one that has too many digits is NULL.
Reader decimal_reader(const Node& writer, const DataType& type) {
  if (writer.kind != NodeKind::kBytes && writer.kind != NodeKind::kFixed) {
    mismatch(writer, type);
  }
  const int32_t written_scale =
      writer.logical == LogicalType::kDecimal ? writer.scale : type.scale();
  return reader_of([shift = type.scale() - written_scale,
                    limit = power_of_ten(type.precision()),
                    &writer](AvroInput& in, ColumnBuilder& out) {
    const std::string_view bytes = writer.kind == NodeKind::kBytes
                                       ? in.read_bytes()
                                       : in.take(static_cast<uint64_t>(writer.fixed_size));
    Int128 value = decimal_from_bytes(bytes);
    if (shift > 0) {
      value *= power_of_ten(shift);
    } else if (shift < 0) {
      const Int128 divisor = power_of_ten(-shift);
      value = (value + (value < 0 ? -divisor / 2 : divisor / 2)) / divisor;
    }
    if (bytes.size() > sizeof(Int128) || value >= limit || value <= -limit) {
      out.append_null();
    } else {
      out.append(value);
    }
  });
}

Reader time_reader(const Node& writer, const DataType& type) {
  if (!is_integer(writer)) {
    mismatch(writer, type);
  }
  const int64_t divisor = writer.logical == LogicalType::kTimeMicros ? 1000 : 1;
  return reader_of([divisor](AvroInput& in, ColumnBuilder& out) {
    out.append(static_cast<int32_t>(in.read_long() / divisor));
  });
}

int64_t floor_divide(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

/// The unit is the writer's; a plain long is taken for milliseconds, as Flink takes it.
Reader timestamp_reader(const Node& writer, const DataType& type) {
  if (!is_integer(writer)) {
    mismatch(writer, type);
  }
  const int64_t per_second = writer.logical == LogicalType::kTimestampNanos    ? 1'000'000'000
                             : writer.logical == LogicalType::kTimestampMicros ? 1'000'000
                                                                               : 1000;
  if (type.physical() == PhysicalKind::kInt64) {
    return reader_of([divisor = per_second / 1000](AvroInput& in, ColumnBuilder& out) {
      out.append(floor_divide(in.read_long(), divisor));
    });
  }
  return reader_of([factor = 1'000'000'000 / per_second](AvroInput& in, ColumnBuilder& out) {
    out.append(static_cast<Int128>(in.read_long()) * factor);
  });
}

Reader array_reader(const Node& writer, const DataType& type, const Node* reader) {
  if (writer.kind != NodeKind::kArray) {
    mismatch(writer, type);
  }
  const Node* element =
      reader != nullptr && reader->kind == NodeKind::kArray ? reader->children[0] : nullptr;
  return reader_of([inner = make_value_reader(*writer.children[0], type.child(0), element)](
                       AvroInput& in, ColumnBuilder& out) {
    in.read_blocks([&] { inner->read(in, out.child(0)); });
    out.append_list();
  });
}

Reader map_reader(const Node& writer, const DataType& type, const Node* reader) {
  if (writer.kind != NodeKind::kMap || !type.child(0).is_character()) {
    mismatch(writer, type);
  }
  const Node* element =
      reader != nullptr && reader->kind == NodeKind::kMap ? reader->children[0] : nullptr;
  const DataType value = type.kind() == TypeKind::kMap ? type.child(1) : DataType::integer();
  return reader_of([inner = make_value_reader(*writer.children[0], value, element)](
                       AvroInput& in, ColumnBuilder& out) {
    in.read_blocks([&] {
      out.child(0).append_string(in.read_bytes());
      inner->read(in, out.child(1));
    });
    out.append_list();
  });
}

Reader row_reader(const Node& writer, const DataType& type, const Node* reader) {
  if (writer.kind != NodeKind::kRecord) {
    mismatch(writer, type);
  }
  return reader_of(
      [record = RecordReader(writer, type.fields(), reader)](AvroInput& in, ColumnBuilder& out) {
        record.read(in, [&](size_t column) -> ColumnBuilder& { return out.child(column); });
        out.append_struct();
      });
}

/// A branch that does not fit fails only when it turns up.
class UnionReader final : public ValueReader {
 public:
  UnionReader(const Node& writer, const DataType& type, const Node* reader) {
    for (const Node* branch : writer.children) {
      try {
        branches_.push_back({make_value_reader(*branch, type, reader), ""});
      } catch (const AvroFault& fault) {
        branches_.push_back({nullptr, fault.what});
      }
    }
  }

  void read(AvroInput& in, ColumnBuilder& out) const override {
    const auto index = static_cast<uint64_t>(in.read_long());
    if (index >= branches_.size()) {
      throw AvroFault{"a union has no branch " + std::to_string(index)};
    }
    if (branches_[index].reader == nullptr) {
      throw AvroFault{branches_[index].why};
    }
    branches_[index].reader->read(in, out);
  }

 private:
  struct Branch {
    Reader reader;
    std::string why;
  };

  std::vector<Branch> branches_;
};

/// The reader's schema without "or null".
const Node* bare(const Node* reader) {
  if (reader == nullptr || reader->kind != NodeKind::kUnion) {
    return reader;
  }
  for (const Node* branch : reader->children) {
    if (branch->kind != NodeKind::kNull) {
      return branch;
    }
  }
  return nullptr;
}

Reader bare_reader(const Node& writer, const DataType& type, const Node* reader) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      if (writer.kind != NodeKind::kBoolean) {
        mismatch(writer, type);
      }
      return reader_of([](AvroInput& in, ColumnBuilder& out) {
        out.append(static_cast<uint8_t>(in.read_boolean() ? 1 : 0));
      });
    case TypeKind::kTinyInt:
      return integer_reader<int8_t>(writer, type);
    case TypeKind::kSmallInt:
      return integer_reader<int16_t>(writer, type);
    case TypeKind::kInt:
    case TypeKind::kDate:
      return integer_reader<int32_t>(writer, type);
    case TypeKind::kBigInt:
      return integer_reader<int64_t>(writer, type);
    case TypeKind::kFloat:
      return approximate_reader<float>(writer, type);
    case TypeKind::kDouble:
      return approximate_reader<double>(writer, type);
    case TypeKind::kDecimal:
      return decimal_reader(writer, type);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return bytes_reader(writer, type);
    case TypeKind::kTime:
      return time_reader(writer, type);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp_reader(writer, type);
    case TypeKind::kArray:
      return array_reader(writer, type, reader);
    case TypeKind::kMap:
    case TypeKind::kMultiset:
      return map_reader(writer, type, reader);
    case TypeKind::kRow:
      return row_reader(writer, type, reader);
    default:
      mismatch(writer, type);
  }
}

const RecordField* field_named(const Node* record, const std::string& name) {
  if (record == nullptr || record->kind != NodeKind::kRecord) {
    return nullptr;
  }
  const auto found = std::find_if(record->fields.begin(),
                                  record->fields.end(),
                                  [&](const RecordField& field) { return field.name == name; });
  return found == record->fields.end() ? nullptr : &*found;
}

}  // namespace

std::unique_ptr<ValueReader> make_value_reader(const Node& writer,
                                               const DataType& type,
                                               const Node* reader) {
  if (writer.kind == NodeKind::kUnion) {
    return std::make_unique<UnionReader>(writer, type, bare(reader));
  }
  if (writer.kind == NodeKind::kNull) {
    if (!type.is_nullable()) {
      mismatch(writer, type);
    }
    return reader_of([](AvroInput&, ColumnBuilder& out) { out.append_null(); });
  }
  return bare_reader(writer, type, bare(reader));
}

void skip_value(AvroInput& in, const Node& writer) {
  switch (writer.kind) {
    case NodeKind::kNull:
      return;
    case NodeKind::kBoolean:
      in.take(1);
      return;
    case NodeKind::kInt:
    case NodeKind::kLong:
    case NodeKind::kEnum:
      in.read_long();
      return;
    case NodeKind::kFloat:
      in.take(4);
      return;
    case NodeKind::kDouble:
      in.take(8);
      return;
    case NodeKind::kBytes:
    case NodeKind::kString:
      in.read_bytes();
      return;
    case NodeKind::kFixed:
      in.take(static_cast<uint64_t>(writer.fixed_size));
      return;
    case NodeKind::kArray:
      in.read_blocks([&] { skip_value(in, *writer.children[0]); });
      return;
    case NodeKind::kMap:
      in.read_blocks([&] {
        in.read_bytes();
        skip_value(in, *writer.children[0]);
      });
      return;
    case NodeKind::kUnion: {
      const auto index = static_cast<uint64_t>(in.read_long());
      if (index >= writer.children.size()) {
        throw AvroFault{"a union has no branch " + std::to_string(index)};
      }
      skip_value(in, *writer.children[index]);
      return;
    }
    case NodeKind::kRecord:
      for (const RecordField& field : writer.fields) {
        skip_value(in, *field.type);
      }
      return;
  }
}

RecordReader::RecordReader(const Node& writer,
                           const std::vector<Field>& fields,
                           const Node* reader) {
  if (writer.kind != NodeKind::kRecord) {
    mismatch(writer, DataType::row(fields));
  }
  std::vector<bool> found(fields.size(), false);
  for (const RecordField& written : writer.fields) {
    Step step;
    step.skipped = written.type;
    for (size_t column = 0; column < fields.size(); ++column) {
      const RecordField* expected = field_named(reader, fields[column].name);
      const bool alias = expected != nullptr && std::find(expected->aliases.begin(),
                                                          expected->aliases.end(),
                                                          written.name) != expected->aliases.end();
      if (found[column] || (written.name != fields[column].name && !alias)) {
        continue;
      }
      step.reader = make_value_reader(
          *written.type, fields[column].type, expected == nullptr ? nullptr : expected->type);
      step.column = column;
      found[column] = true;
      break;
    }
    steps_.push_back(std::move(step));
  }
  for (size_t column = 0; column < fields.size(); ++column) {
    if (found[column]) {
      continue;
    }
    const RecordField* expected = field_named(reader, fields[column].name);
    if (expected != nullptr && expected->default_json) {
      missing_.push_back({column, default_value(*expected->default_json, fields[column].type)});
    } else if (fields[column].type.is_nullable()) {
      missing_.push_back({column, Value()});
    } else {
      throw AvroFault{"it has no field '" + fields[column].name + "', and the column is NOT NULL"};
    }
  }
}

}  // namespace thalweg::formats::avro
