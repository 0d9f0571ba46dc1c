#include <algorithm>

#include "thalweg/expression/cast.h"
#include "thalweg/expression/cast_kernels.h"

namespace thalweg::expression {

namespace {

class NestedCast final : public ScalarKernel {
 public:
  NestedCast(const DataType& source, DataType target) : target_(std::move(target)) {
    for (size_t i = 0; i < target_.child_count(); ++i) {
      children_.push_back(make_cast_kernel(source.child(i), target_.child(i)));
    }
  }

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors& errors) override {
    const Column& column = *arguments[0];
    if (column.is_constant() && column.is_null(0)) {
      return Column::make_null(target_, rows);
    }
    const bool is_row = target_.kind() == TypeKind::kRow;
    std::vector<ColumnPtr> children;
    for (size_t i = 0; i < children_.size(); ++i) {
      const ColumnPtr& child = column.child(i);
      RowErrors inner;
      children.push_back(children_[i]->evaluate({&child, 1}, child->size(), context, inner));
      add_failures(column, inner, is_row, errors);
    }
    MutableColumnPtr result;
    if (is_row) {
      result = Column::make_struct(target_, rows, std::move(children));
    } else {
      std::vector<int32_t> offsets(static_cast<size_t>(rows) + 1);
      for (int32_t row = 0; row < rows; ++row) {
        offsets[static_cast<size_t>(row) + 1] = column.list_end(row);
      }
      result = Column::make_list(target_, std::move(offsets), std::move(children));
    }
    result->add_nulls_of(column);
    return result;
  }

 private:
  /// A failed child fails the row that holds it, unless that row is NULL.
  static void add_failures(const Column& column,
                           const RowErrors& inner,
                           bool is_row,
                           RowErrors& errors) {
    for (const RowFailure& failure : inner.failures()) {
      int32_t row = failure.row;
      if (!is_row) {
        row = 0;
        while (column.list_end(row) <= failure.row) {
          ++row;
        }
      }
      if (!column.is_null(row)) {
        errors.add(row, failure.error);
      }
    }
  }

  DataType target_;
  std::vector<std::unique_ptr<ScalarKernel>> children_;
};

}  // namespace

std::unique_ptr<ScalarKernel> make_nested_cast(const DataType& source, const DataType& target) {
  return std::make_unique<NestedCast>(source, target);
}

}  // namespace thalweg::expression
