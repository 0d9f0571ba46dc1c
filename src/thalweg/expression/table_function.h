#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "thalweg/expression/scalar_function.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::expression {

/// Where a table kernel puts its rows. Borrowed for the time of a call.
struct TableRows {
  /// One builder for each column of the function's result.
  std::span<ColumnBuilder> columns;
  /// For each result row the input row that it was made of; ascending.
  std::vector<int32_t>& sources;
};

/// A table function ready for one set of argument types. One per task, one thread; may stop in the
/// middle of an input row and remember where.
class TableKernel {
 public:
  virtual ~TableKernel() = default;
  /// Adds the rows that input rows [begin, end) give, and stops early where enough rows are there
  /// for a batch or enough time has gone. Returns the input row to go on with, which is one already
  /// begun where the kernel stopped inside it. A row that fails is put into `errors`, behind the
  /// rows that it gave before; work ends there.
  virtual int32_t evaluate(std::span<const ColumnPtr> arguments,
                           int32_t begin,
                           int32_t end,
                           const EvaluationContext& context,
                           const TableRows& rows,
                           RowErrors& errors) = 0;
};

/// The types that arguments are cast to, and the columns of the result.
struct TableSignature {
  std::vector<DataType> arguments;
  Schema result;
};

/// A function that gives any number of rows for one. Immutable.
class TableFunction {
 public:
  using Bind = std::function<std::variant<TableSignature, NoMatch>(std::span<const BoundArgument>)>;
  using MakeKernel = std::function<std::unique_ptr<TableKernel>(const TableSignature&)>;

  /// Upper case; the first is canonical.
  std::vector<std::string> names;
  /// Accepted forms as in the reference.
  std::string forms;
  std::string description;
  bool is_deterministic = true;
  /// It runs a user's code.
  bool is_foreign = false;
  /// Rows of an update are taken back and sent anew, as -D and +I: they have no key to be updated
  /// by.
  bool replaces_rows = false;
  Bind bind;
  MakeKernel make_kernel;

  const std::string& name() const { return names.front(); }
};

}  // namespace thalweg::expression
