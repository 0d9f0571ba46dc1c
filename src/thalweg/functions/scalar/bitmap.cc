// Functions of bitmaps: BITMAP_BUILD, BITMAP_TO_ARRAY, BITMAP_AND and so on.
#include "thalweg/functions/bitmap/bitmap.h"

#include "thalweg/functions/bitmap/bitmap_signature.h"
#include "thalweg/functions/scalar/array_function.h"
#include "thalweg/types/bitmap_format.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::RowFault;
using expression::ScalarFunction;

namespace {

/// An array of INT is taken as it is, whether NULL may be in it or not: plans show no cast then.
Bound bind_build(std::span<const BoundArgument> arguments) {
  const bool fits = arguments.size() == 1 && arguments[0].type.kind() == TypeKind::kArray &&
                    arguments[0].type.child(0).kind() == TypeKind::kInt;
  const Parameter array =
      fits ? Parameter(Family::kArray) : Parameter(DataType::array(DataType::integer()));
  return strict({{array}}, DataType::bitmap())(arguments);
}

void build(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements elements = elements_of(*arguments[0], row);
  std::vector<uint32_t> values;
  for (int32_t i = elements.begin; i < elements.end; ++i) {
    if (!elements.values.is_null(i)) {
      values.push_back(static_cast<uint32_t>(elements.values.at<int32_t>(i)));
    }
  }
  Bitmap bitmap;
  bitmap.add_all(values);
  builder.append_string(bitmap.serialize());
}

bool from_bytes(RowFault& fault, std::string& out, std::string_view bytes) {
  auto bitmap = bitmap::from_untrusted(bytes);
  if (!bitmap) {
    fault.raise(Error(ErrorCode::kInvalidArgument,
                      fmt::format("Failed to deserialize bitmap from bytes: these {} bytes are no "
                                  "Roaring bitmap in the portable format.",
                                  bytes.size())));
    return false;
  }
  out = std::move(*bitmap);
  return true;
}

void append_array(std::string_view bitmap, ColumnBuilder& builder) {
  bitmap::visit_runs(bitmap, [&](uint32_t first, uint32_t last) {
    for (uint64_t value = first; value <= last; ++value) {
      builder.child(0).append(static_cast<int32_t>(value));
    }
    return true;
  });
  builder.append_list();
}

ColumnPtr to_arrays(const DataType& type, const Column& bitmaps, int32_t rows, RowErrors& errors) {
  /// Elements of all rows of a batch, which share a column.
  constexpr int64_t kMostElements = int64_t{1} << 30U;
  ColumnBuilder builder(type);
  for (int32_t row = 0; row < rows; ++row) {
    if (bitmaps.is_null(row)) {
      builder.append_null();
      continue;
    }
    const int64_t size = bitmap::cardinality(bitmaps.string_at(row));
    if (builder.child(0).size() + size > kMostElements) {
      errors.add(row,
                 Error(ErrorCode::kInvalidArgument,
                       fmt::format("Failed to convert bitmap to an array: it has {} values, and "
                                   "arrays of at most {} fit.",
                                   size,
                                   kMostElements)));
      builder.append_null();
      continue;
    }
    append_array(bitmaps.string_at(row), builder);
  }
  return builder.finish();
}

ScalarFunction to_array_function() {
  ScalarFunction function = documented(
      {{"BITMAP_TO_ARRAY"},
       "'BITMAP_TO_ARRAY(<BITMAP>)'",
       "The values of a bitmap in order, as unsigned numbers: those beyond 2147483647 "
       "come last, as negative INT.",
       {"BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY[3, -1, 1])) -> [1, 3, -1]"}},
      taking_bitmaps(strict({{DataType::bitmap()}}, DataType::array(DataType::integer()))));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors& errors) {
      return to_arrays(type, *arguments[0], rows, errors);
    });
  };
  return function;
}

ScalarFunction operation_function(const std::string& name,
                                  BitmapOperation operation,
                                  std::string description,
                                  const std::string& result) {
  return simple<std::string_view, std::string_view, std::string_view>(
      {{name},
       fmt::format("'{}(<BITMAP>, <BITMAP>)'", name),
       std::move(description),
       {fmt::format(
           "{}(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3])) -> {}", name, result)}},
      taking_bitmaps(strict({{DataType::bitmap(), DataType::bitmap()}}, DataType::bitmap())),
      [operation](std::string& out, std::string_view left, std::string_view right) {
        Bitmap bitmap(left);
        bitmap.combine(operation, Bitmap(right));
        out = bitmap.serialize();
      });
}

void add_conversions(FunctionRegistry& registry) {
  registry.add(building({{"BITMAP_BUILD"},
                         "'BITMAP_BUILD(<ARRAY<INT>>)'",
                         "The bitmap of an array's elements, NULLs left out. A negative element "
                         "stands for the unsigned number with the same 32 bits.",
                         {"BITMAP_BUILD(ARRAY[3, 1, 3, -1]) -> {1,3,4294967295}"}},
                        bind_build,
                        true,
                        build));
  registry.add(simple<std::string_view, std::string_view>(
      {{"BITMAP_FROM_BYTES"},
       "'BITMAP_FROM_BYTES(<BINARY>)'",
       "The bitmap that bytes in Roaring's portable format stand for; other bytes are an error.",
       {"BITMAP_FROM_BYTES(x'3a30000001000000000001001000000001000300') -> {1,3}"}},
      strict({{Family::kBytes}}, DataType::bitmap()),
      from_bytes));
  registry.add(simple<std::string_view, std::string_view>(
      {{"BITMAP_TO_BYTES"},
       "'BITMAP_TO_BYTES(<BITMAP>)'",
       "The bytes of a bitmap in Roaring's portable format.",
       {"BITMAP_TO_BYTES(BITMAP_BUILD(ARRAY[1, 3])) -> "
        "x'3a30000001000000000001001000000001000300'"}},
      taking_bitmaps(strict({{DataType::bitmap()}}, DataType::bytes())),
      [](std::string_view bitmap) { return bitmap; }));
  registry.add(to_array_function());
  registry.add(simple<std::string_view, std::string_view>(
      {{"BITMAP_TO_STRING"},
       "'BITMAP_TO_STRING(<BITMAP>)'",
       "The values of a bitmap in order, as unsigned numbers; a text of more than 524288 "
       "characters is cut.",
       {"BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[2, 1])) -> {1,2}"}},
      taking_bitmaps(strict({{DataType::bitmap()}}, DataType::string())),
      [](std::string& out, std::string_view bitmap) { bitmap::append_text(out, bitmap); }));
}

}  // namespace

void add_bitmap(FunctionRegistry& registry) {
  add_conversions(registry);
  registry.add(simple<int64_t, std::string_view>(
      {{"BITMAP_CARDINALITY"},
       "'BITMAP_CARDINALITY(<BITMAP>)'",
       "How many values a bitmap has.",
       {"BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY[5, 6, 5])) -> 2"}},
      taking_bitmaps(strict({{DataType::bitmap()}}, DataType::big_int())),
      [](std::string_view bitmap) { return bitmap::cardinality(bitmap); }));
  registry.add(operation_function(
      "BITMAP_AND", BitmapOperation::kAnd, "The values that both bitmaps have.", "{2}"));
  registry.add(operation_function(
      "BITMAP_OR", BitmapOperation::kOr, "The values that either bitmap has.", "{1,2,3}"));
  registry.add(operation_function("BITMAP_XOR",
                                  BitmapOperation::kXor,
                                  "The values that exactly one of two bitmaps has.",
                                  "{1,3}"));
  registry.add(operation_function("BITMAP_ANDNOT",
                                  BitmapOperation::kAndNot,
                                  "The values of the first bitmap that the second lacks.",
                                  "{1}"));
}

}  // namespace thalweg::functions
