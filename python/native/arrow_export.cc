#include "arrow_export.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "arrow_c_data.h"
#include "thalweg/types/column_operations.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

constexpr int64_t kNullable = 2;
constexpr int64_t kNanosOfMicro = 1000;

/// What an exported schema or array holds on to until its consumer releases it.
struct SchemaParts {
  std::string format;
  std::string name;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> child_pointers;
};

struct ArrayParts {
  ColumnPtr column;
  std::vector<std::vector<std::byte>> owned;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> child_pointers;
};

template <typename Exported, typename Parts>
void release(Exported* exported) {
  auto* parts = static_cast<Parts*>(exported->private_data);
  for (auto& child : parts->children) {
    if (child->release != nullptr) {
      child->release(child.get());
    }
  }
  delete parts;
  exported->release = nullptr;
}

std::string format_of(const DataType& type) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return "b";
    case TypeKind::kTinyInt:
      return "c";
    case TypeKind::kSmallInt:
      return "s";
    case TypeKind::kInt:
      return "i";
    case TypeKind::kBigInt:
      return "l";
    case TypeKind::kFloat:
      return "f";
    case TypeKind::kDouble:
      return "g";
    case TypeKind::kDecimal:
      return fmt::format("d:{},{}", type.precision(), type.scale());
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return "u";
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
    case TypeKind::kBitmap:
      return "z";
    case TypeKind::kDate:
      return "tdD";
    case TypeKind::kTime:
      return "ttm";
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz: {
      const char* unit = type.precision() <= 3 ? "m" : type.precision() <= 6 ? "u" : "n";
      return fmt::format("ts{}:{}", unit, type.kind() == TypeKind::kTimestampLtz ? "UTC" : "");
    }
    default:
      return "";
  }
}

void fill_schema(ArrowSchema& out, std::string format, std::string name, SchemaParts* parts) {
  parts->format = std::move(format);
  parts->name = std::move(name);
  for (const auto& child : parts->children) {
    parts->child_pointers.push_back(child.get());
  }
  out = {.format = parts->format.c_str(),
         .name = parts->name.c_str(),
         .metadata = nullptr,
         .flags = kNullable,
         .n_children = static_cast<int64_t>(parts->children.size()),
         .children = parts->child_pointers.data(),
         .dictionary = nullptr,
         .release = &release<ArrowSchema, SchemaParts>,
         .private_data = parts};
}

void fill_array(ArrowArray& out, int64_t length, int64_t null_count, ArrayParts* parts) {
  for (const auto& child : parts->children) {
    parts->child_pointers.push_back(child.get());
  }
  out = {.length = length,
         .null_count = null_count,
         .offset = 0,
         .n_buffers = static_cast<int64_t>(parts->buffers.size()),
         .n_children = static_cast<int64_t>(parts->children.size()),
         .buffers = parts->buffers.data(),
         .children = parts->child_pointers.data(),
         .dictionary = nullptr,
         .release = &release<ArrowArray, ArrayParts>,
         .private_data = parts};
}

std::byte* add_buffer(ArrayParts& parts, size_t bytes) {
  // Never empty: consumers take a null pointer for a missing buffer.
  std::byte* data = parts.owned.emplace_back(bytes + 1).data();
  parts.buffers.push_back(data);
  return data;
}

void add_bits(ArrayParts& parts, std::span<const uint8_t> values) {
  std::byte* bits = add_buffer(parts, values.size() / 8 + 1);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) {
      bits[i / 8] |= std::byte{1} << (i % 8);
    }
  }
}

void add_texts(ArrayParts& parts, const Column& column) {
  const auto rows = static_cast<size_t>(column.size());
  auto* offsets = reinterpret_cast<int32_t*>(add_buffer(parts, (rows + 1) * sizeof(int32_t)));
  size_t total = 0;
  for (size_t i = 0; i < rows; ++i) {
    offsets[i] = static_cast<int32_t>(total);
    total += column.is_null(static_cast<int32_t>(i))
                 ? 0
                 : column.string_at(static_cast<int32_t>(i)).size();
  }
  offsets[rows] = static_cast<int32_t>(total);
  std::byte* data = add_buffer(parts, total);
  for (size_t i = 0; i < rows; ++i) {
    if (!column.is_null(static_cast<int32_t>(i))) {
      const std::string_view text = column.string_at(static_cast<int32_t>(i));
      std::memcpy(data + offsets[i], text.data(), text.size());
    }
  }
}

/// Nanoseconds as micro- or nanoseconds of 64 bits.
void add_times(ArrayParts& parts, const Column& column) {
  const std::span<const Int128> values = column.values<Int128>();
  const int64_t divisor = column.type().precision() <= 6 ? kNanosOfMicro : 1;
  auto* times = reinterpret_cast<int64_t*>(add_buffer(parts, values.size() * sizeof(int64_t)));
  for (size_t i = 0; i < values.size(); ++i) {
    times[i] = static_cast<int64_t>(values[i] / divisor);
  }
}

std::unique_ptr<ArrowArray> export_column(const ColumnPtr& given) {
  auto parts = std::make_unique<ArrayParts>();
  parts->column = flatten(given);
  const Column& column = *parts->column;
  parts->buffers.push_back(column.may_have_nulls() ? column.validity().data() : nullptr);
  switch (column.type().physical()) {
    case PhysicalKind::kBool:
      add_bits(*parts, column.values<uint8_t>());
      break;
    case PhysicalKind::kString:
      add_texts(*parts, column);
      break;
    case PhysicalKind::kInt128:
      if (column.type().is_timestamp()) {
        add_times(*parts, column);
      } else {
        parts->buffers.push_back(column.values<Int128>().data());
      }
      break;
    default:
      parts->buffers.push_back(column.values<std::byte>().data());
  }
  auto array = std::make_unique<ArrowArray>();
  fill_array(*array, column.size(), column.may_have_nulls() ? -1 : 0, parts.release());
  return array;
}

template <typename Exported>
nb::capsule capsule_of(std::unique_ptr<Exported> exported, const char* name) {
  PyObject* capsule = PyCapsule_New(exported.get(), name, [](PyObject* object) {
    auto* held = static_cast<Exported*>(PyCapsule_GetPointer(object, PyCapsule_GetName(object)));
    if (held->release != nullptr) {
      held->release(held);
    }
    delete held;
  });
  if (capsule == nullptr) {
    throw nb::python_error();
  }
  static_cast<void>(exported.release());
  return nb::steal<nb::capsule>(capsule);
}

}  // namespace

bool is_arrow_type(const DataType& type) {
  return !format_of(type).empty();
}

nb::tuple arrow_capsules(const ColumnPtr& column) {
  auto schema = std::make_unique<ArrowSchema>();
  fill_schema(*schema, format_of(column->type()), "", new SchemaParts());
  return nb::make_tuple(capsule_of(std::move(schema), "arrow_schema"),
                        capsule_of(export_column(column), "arrow_array"));
}

nb::tuple arrow_capsules(const Batch& batch, const Schema& schema) {
  auto schema_parts = std::make_unique<SchemaParts>();
  auto array_parts = std::make_unique<ArrayParts>();
  for (size_t i = 0; i < schema.size(); ++i) {
    auto field = std::make_unique<ArrowSchema>();
    fill_schema(*field, format_of(schema[i].type), schema[i].name, new SchemaParts());
    schema_parts->children.push_back(std::move(field));
    array_parts->children.push_back(export_column(batch.column_ptr(i)));
  }
  array_parts->buffers.push_back(nullptr);
  auto exported_schema = std::make_unique<ArrowSchema>();
  fill_schema(*exported_schema, "+s", "", schema_parts.release());
  auto exported_array = std::make_unique<ArrowArray>();
  fill_array(*exported_array, batch.row_count(), 0, array_parts.release());
  return nb::make_tuple(capsule_of(std::move(exported_schema), "arrow_schema"),
                        capsule_of(std::move(exported_array), "arrow_array"));
}

}  // namespace thalweg::binding
