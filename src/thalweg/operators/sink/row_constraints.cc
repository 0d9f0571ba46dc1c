#include "thalweg/operators/sink/row_constraints.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/expression/utf8.h"

namespace thalweg::operators {

namespace {

using stream::SinkConstraints;

bool has_length(const DataType& type) {
  return (type.is_character() || type.is_binary()) && type.length() != kMaxLength;
}

std::optional<Breach> find_null(const std::vector<Field>& fields,
                                std::span<const ColumnPtr> columns,
                                int32_t row) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].type.is_nullable() && columns[i]->is_null(row)) {
      return Breach{.is_null = true, .column = fields[i].name, .type = fields[i].type};
    }
  }
  return std::nullopt;
}

template <typename Kind, typename LengthOf>
std::optional<Breach> find_wrong_length(const std::vector<Field>& fields,
                                        std::span<const ColumnPtr> columns,
                                        int32_t row,
                                        Kind is_kind,
                                        LengthOf length_of) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const DataType& type = fields[i].type;
    if (!is_kind(type) || !has_length(type) || columns[i]->is_null(row)) {
      continue;
    }
    const int64_t length = length_of(columns[i]->string_at(row));
    const bool is_fixed = type.kind() == TypeKind::kChar || type.kind() == TypeKind::kBinary;
    if (length > type.length() || (is_fixed && length < type.length())) {
      return Breach{.column = fields[i].name, .type = type, .length = length};
    }
  }
  return std::nullopt;
}

/// "key" of map m is m[key], "value.x" is m[value].x; elements of an array go by their number.
std::string place_in(const Field& list, const std::string& inner, int32_t number) {
  const size_t dot = std::min(inner.find('.'), inner.size());
  const std::string part =
      list.type.kind() == TypeKind::kArray ? std::to_string(number) : inner.substr(0, dot);
  return fmt::format("{}[{}]{}", list.name, part, inner.substr(dot));
}

std::optional<Breach> find_in_row(const Field& field,
                                  const Column& column,
                                  int32_t row,
                                  const SinkConstraints& constraints) {
  std::vector<ColumnPtr> children;
  for (size_t i = 0; i < column.child_count(); ++i) {
    children.push_back(column.child(i));
  }
  const int32_t stored = column.is_constant() ? 0 : row;
  auto breach = find_breach(field.type.fields(), children, stored, constraints);
  if (breach) {
    breach->column = field.name + "." + breach->column;
  }
  return breach;
}

std::optional<Breach> find_in_list(const Field& field,
                                   const Column& column,
                                   int32_t row,
                                   const SinkConstraints& constraints) {
  const size_t parts = field.type.kind() == TypeKind::kMap ? 2 : 1;
  std::vector<ColumnPtr> children;
  for (size_t i = 0; i < parts; ++i) {
    children.push_back(column.child(i));
  }
  const int32_t begin = column.list_begin(row);
  for (int32_t i = begin; i < column.list_end(row); ++i) {
    auto breach = find_breach(field.type.fields(), children, i, constraints);
    if (breach) {
      breach->column = place_in(field, breach->column, i - begin);
      return breach;
    }
  }
  return std::nullopt;
}

template <typename Find>
std::optional<Breach> find_inside(const std::vector<Field>& fields,
                                  std::span<const ColumnPtr> columns,
                                  int32_t row,
                                  TypeKind kind,
                                  Find find) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].type.kind() == kind && !columns[i]->is_null(row)) {
      if (auto breach = find(fields[i], *columns[i])) {
        return breach;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Breach> find_breach(const std::vector<Field>& fields,
                                  std::span<const ColumnPtr> columns,
                                  int32_t row,
                                  const SinkConstraints& constraints) {
  std::optional<Breach> breach = find_null(fields, columns, row);
  if (!breach && constraints.length == SinkConstraints::Length::kError) {
    breach = find_wrong_length(
        fields,
        columns,
        row,
        [](const DataType& type) { return type.is_character(); },
        utf8::count);
    if (!breach) {
      breach = find_wrong_length(
          fields,
          columns,
          row,
          [](const DataType& type) { return type.is_binary(); },
          [](std::string_view bytes) { return static_cast<int64_t>(bytes.size()); });
    }
  }
  const auto inside = [&](TypeKind kind, auto find) {
    if (!breach) {
      breach =
          find_inside(fields, columns, row, kind, [&](const Field& field, const Column& column) {
            return find(field, column, row, constraints);
          });
    }
  };
  if (constraints.nested != SinkConstraints::Nested::kIgnore) {
    inside(TypeKind::kRow, find_in_row);
  }
  if (constraints.nested == SinkConstraints::Nested::kRowsAndCollections) {
    inside(TypeKind::kArray, find_in_list);
    inside(TypeKind::kMap, find_in_list);
  }
  return breach;
}

bool can_breach(const DataType& type, const SinkConstraints& constraints) {
  if (!type.is_nullable()) {
    return true;
  }
  if (has_length(type)) {
    return constraints.length == SinkConstraints::Length::kError;
  }
  const bool looks_inside =
      type.kind() == TypeKind::kRow
          ? constraints.nested != SinkConstraints::Nested::kIgnore
          : constraints.nested == SinkConstraints::Nested::kRowsAndCollections &&
                (type.kind() == TypeKind::kArray || type.kind() == TypeKind::kMap);
  return looks_inside &&
         std::any_of(type.fields().begin(), type.fields().end(), [&](const Field& field) {
           return can_breach(field.type, constraints);
         });
}

DataType unlimited(const DataType& type, SinkConstraints::Nested nested) {
  if (has_length(type)) {
    const DataType wide = type.is_character() ? DataType::string() : DataType::bytes();
    return wide.as_nullable(type.is_nullable());
  }
  if (type.kind() != TypeKind::kRow || nested == SinkConstraints::Nested::kIgnore) {
    return type;
  }
  std::vector<Field> fields = type.fields();
  for (Field& field : fields) {
    field.type = unlimited(field.type, nested);
  }
  const DataType wide = type.is_structured()
                            ? DataType::structured(type.class_name(), std::move(fields))
                            : DataType::row(std::move(fields));
  return wide.as_nullable(type.is_nullable());
}

}  // namespace thalweg::operators
