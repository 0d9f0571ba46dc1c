// UNNEST: a row for each element of an array, map or multiset.
#include <algorithm>

#include "thalweg/expression/function_registry.h"

namespace thalweg::functions {

using expression::BoundArgument;
using expression::FunctionRegistry;
using expression::NoMatch;
using expression::RowErrors;
using expression::TableFunction;
using expression::TableRows;
using expression::TableSignature;

namespace {

/// Enough rows for one call.
constexpr int32_t kRowsPerCall = 2048;

/// Expands one collection column. Stops between elements, so that long arrays do not pile up.
class UnnestKernel final : public expression::TableKernel {
 public:
  UnnestKernel(const DataType& collection, bool with_ordinality)
      : kind_(collection.kind()), with_ordinality_(with_ordinality) {}

  int32_t evaluate(std::span<const ColumnPtr> arguments,
                   int32_t begin,
                   int32_t end,
                   const expression::EvaluationContext& /*context*/,
                   const TableRows& rows,
                   RowErrors& /*errors*/) override {
    const Column& collection = *arguments[0];
    for (int32_t row = begin; row < end; ++row) {
      if (!collection.is_null(row) && !expand(collection, row, rows)) {
        return row;
      }
      next_element_ = 0;
      next_copy_ = 0;
    }
    return end;
  }

 private:
  /// False when it stopped before the last element.
  bool expand(const Column& collection, int32_t row, const TableRows& rows) {
    const int32_t first = collection.list_begin(row);
    const int32_t count = collection.list_end(row) - first;
    for (; next_element_ < count; ++next_element_) {
      const int32_t copies = kind_ == TypeKind::kMultiset
                                 ? collection.child(1)->at<int32_t>(first + next_element_)
                                 : 1;
      for (; next_copy_ < copies; ++next_copy_) {
        if (rows.sources.size() >= kRowsPerCall) {
          return false;
        }
        add(collection, first + next_element_, rows);
        rows.sources.push_back(row);
      }
      next_copy_ = 0;
    }
    return true;
  }

  void add(const Column& collection, int32_t element, const TableRows& rows) const {
    size_t column = 0;
    if (kind_ == TypeKind::kMap) {
      rows.columns[column++].append_from(*collection.child(0), element);
      rows.columns[column++].append_from(*collection.child(1), element);
    } else {
      const Column& values = *collection.child(0);
      if (values.type().kind() == TypeKind::kRow) {
        const int32_t stored = values.is_constant() ? 0 : element;
        for (size_t field = 0; field < values.child_count(); ++field, ++column) {
          if (values.is_null(element)) {
            rows.columns[column].append_null();
          } else {
            rows.columns[column].append_from(*values.child(field), stored);
          }
        }
      } else {
        rows.columns[column++].append_from(values, element);
      }
    }
    if (with_ordinality_) {
      rows.columns[column].append(next_element_ + 1);
    }
  }

  TypeKind kind_;
  bool with_ordinality_;
  int32_t next_element_ = 0;
  int32_t next_copy_ = 0;
};

Schema element_columns(const DataType& collection) {
  if (collection.kind() == TypeKind::kMap) {
    return {{"KEY", collection.child(0)}, {"VALUE", collection.child(1)}};
  }
  const DataType& element = collection.child(0);
  if (element.kind() != TypeKind::kRow) {
    return {{"EXPR$0", element}};
  }
  Schema columns;
  for (const Field& field : element.fields()) {
    columns.push_back({field.name, element.is_nullable() ? field.type.as_nullable() : field.type});
  }
  return columns;
}

TableFunction unnest(std::string name, bool with_ordinality) {
  TableFunction function;
  function.names = {std::move(name)};
  function.bind =
      [with_ordinality](
          std::span<const BoundArgument> arguments) -> std::variant<TableSignature, NoMatch> {
    const DataType& type = arguments[0].type;
    if (type.kind() != TypeKind::kArray && type.kind() != TypeKind::kMap &&
        type.kind() != TypeKind::kMultiset) {
      return NoMatch{"UNNEST takes an ARRAY, MAP or MULTISET, not " + type.to_string()};
    }
    TableSignature signature{{type}, element_columns(type)};
    if (with_ordinality) {
      signature.result.push_back({"ORDINALITY", DataType::integer().not_null()});
    }
    return signature;
  };
  function.make_kernel = [with_ordinality](const TableSignature& signature) {
    return std::make_unique<UnnestKernel>(signature.arguments[0], with_ordinality);
  };
  return function;
}

}  // namespace

void add_unnest(FunctionRegistry& registry) {
  registry.add(unnest("$UNNEST", false));
  registry.add(unnest("$UNNEST_ORDINALITY", true));
  // The rows that a table aggregate function gives for a group.
  TableFunction groups = unnest("$UNNEST_GROUPS", false);
  groups.replaces_rows = true;
  registry.add(std::move(groups));
}

}  // namespace thalweg::functions
