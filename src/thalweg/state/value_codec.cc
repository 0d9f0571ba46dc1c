#include "thalweg/state/value_codec.h"

#include "thalweg/common/check.h"
#include "thalweg/state/byte_stream.h"

namespace thalweg::state {

namespace {

void encode(const Column& column, int32_t row, ByteWriter& writer);

void encode_children(const Column& column, int32_t begin, int32_t end, ByteWriter& writer) {
  for (int32_t element = begin; element < end; ++element) {
    for (size_t child = 0; child < column.child_count(); ++child) {
      encode(*column.child(child), element, writer);
    }
  }
}

void encode(const Column& column, int32_t row, ByteWriter& writer) {
  const bool null = column.is_null(row);
  writer.put(static_cast<uint8_t>(null));
  if (null) {
    return;
  }
  switch (column.type().physical()) {
    case PhysicalKind::kString:
      writer.put_text(column.string_at(row));
      return;
    case PhysicalKind::kList: {
      const int32_t begin = column.list_begin(row);
      const int32_t end = column.list_end(row);
      writer.put_varint(static_cast<uint64_t>(end - begin));
      encode_children(column, begin, end, writer);
      return;
    }
    case PhysicalKind::kStruct: {
      const int32_t at = column.is_constant() ? 0 : row;
      encode_children(column, at, at + 1, writer);
      return;
    }
    case PhysicalKind::kHandle: {
      const OpaqueOperations& operations = *column.opaque_operations();
      void* const handle = column.at<void*>(row);
      writer.put_text(operations.encode(handle));
      writer.put_text(operations.serialize(handle));
      return;
    }
    default: {
      const size_t width = width_of(column.type().physical());
      const auto at = static_cast<size_t>(column.is_constant() ? 0 : row);
      writer.put_raw(column.values<std::byte>().data() + at * width, width);
    }
  }
}

using Opaque = std::shared_ptr<const OpaqueOperations>;

void decode(ByteReader& reader, ColumnBuilder& builder, const Opaque& opaque);

template <typename T>
void decode_number(ByteReader& reader, ColumnBuilder& builder) {
  builder.append(reader.get<T>());
}

void decode_handle(ByteReader& reader, ColumnBuilder& builder, const Opaque& opaque) {
  check(opaque != nullptr, "opaque state without operations");
  reader.get_text();
  builder.set_opaque_operations(opaque);
  builder.append(opaque->decode(reader.get_text()));
}

void decode(ByteReader& reader, ColumnBuilder& builder, const Opaque& opaque) {
  if (reader.get<uint8_t>() != 0) {
    builder.append_null();
    return;
  }
  switch (builder.type().physical()) {
    case PhysicalKind::kBool:
    case PhysicalKind::kInt8:
      return decode_number<uint8_t>(reader, builder);
    case PhysicalKind::kInt16:
      return decode_number<uint16_t>(reader, builder);
    case PhysicalKind::kInt32:
    case PhysicalKind::kFloat:
      return decode_number<uint32_t>(reader, builder);
    case PhysicalKind::kInt64:
    case PhysicalKind::kDouble:
      return decode_number<uint64_t>(reader, builder);
    case PhysicalKind::kInt128:
      return decode_number<Int128>(reader, builder);
    case PhysicalKind::kString:
      return builder.append_string(reader.get_text());
    case PhysicalKind::kList: {
      const uint64_t count = reader.get_varint();
      for (uint64_t i = 0; i < count; ++i) {
        for (size_t child = 0; child < builder.child_count(); ++child) {
          decode(reader, builder.child(child), opaque);
        }
      }
      return builder.append_list();
    }
    case PhysicalKind::kStruct:
      for (size_t child = 0; child < builder.child_count(); ++child) {
        decode(reader, builder.child(child), opaque);
      }
      return builder.append_struct();
    case PhysicalKind::kHandle:
      return decode_handle(reader, builder, opaque);
  }
}

}  // namespace

void encode_value(const Column& column, int32_t row, std::string& bytes) {
  ByteWriter writer(bytes);
  encode(column, row, writer);
}

void decode_value(std::string_view bytes, ColumnBuilder& builder, const Opaque& opaque) {
  ByteReader reader(bytes);
  decode(reader, builder, opaque);
}

std::string_view canonical_part(std::string_view encoded_object) {
  ByteReader reader(encoded_object);
  reader.get<uint8_t>();
  return reader.get_text();
}

}  // namespace thalweg::state
