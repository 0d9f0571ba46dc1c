#include "thalweg/expression/cast.h"

#include "thalweg/expression/cast_kernels.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/type_inference.h"

namespace thalweg::expression {

namespace {

bool is_temporal(const DataType& type) {
  return type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTime || type.is_timestamp();
}

/// True when the stored bytes are good for the target as they are.
bool only_renames(const DataType& source, const DataType& target) {
  if (source.equals_ignoring_nullability(target)) {
    return true;
  }
  if (source.is_interval() && source.kind() == target.kind()) {
    return true;
  }
  const bool grows = target.length() >= source.length();
  return grows && ((source.is_character() && target.kind() == TypeKind::kVarChar) ||
                   (source.is_binary() && target.kind() == TypeKind::kVarBinary));
}

}  // namespace

std::unique_ptr<ScalarKernel> make_cast_kernel(const DataType& source, const DataType& target) {
  if (source.kind() == TypeKind::kNull) {
    return column_kernel(
        [target](std::span<const ColumnPtr>, int32_t rows, const EvaluationContext&, RowErrors&) {
          return Column::make_null(target, rows);
        });
  }
  if (source.kind() == TypeKind::kOpaque) {
    return column_kernel(
        [](std::span<const ColumnPtr> arguments, int32_t, const EvaluationContext&, RowErrors&) {
          return arguments[0];
        });
  }
  if (only_renames(source, target)) {
    return column_kernel([target](std::span<const ColumnPtr> arguments,
                                  int32_t,
                                  const EvaluationContext&,
                                  RowErrors&) { return arguments[0]->with_type(target); });
  }
  if (!can_cast(source, target)) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Cast function cannot convert value of type {} to type {}",
                            sql_type_name(source),
                            sql_type_name(target)));
  }
  if (target.is_character() || target.is_binary()) {
    return make_printing_cast(source, target);
  }
  if (source.is_character()) {
    return make_parsing_cast(source, target);
  }
  if (is_temporal(source)) {
    return make_temporal_cast(source, target);
  }
  if (source.is_nested()) {
    return make_nested_cast(source, target);
  }
  return make_number_cast(source, target);
}

}  // namespace thalweg::expression
