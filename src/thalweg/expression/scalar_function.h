#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "thalweg/common/time.h"
#include "thalweg/expression/expression.h"
#include "thalweg/expression/row_errors.h"
#include "thalweg/types/column.h"

namespace thalweg::expression {

/// What an evaluation may know besides its columns. Borrowed for the time of a call.
struct EvaluationContext {
  /// Session zone (table.local-time-zone), a name for TimeZone::find.
  std::string time_zone = "UTC";
  ProcessingTime now = {};
  /// The watermark before the first row of the batch; marks inside the batch move it.
  EventTime watermark = kMinEventTime;
  /// When the statement started: CURRENT_TIMESTAMP in batch mode.
  ProcessingTime statement_start = {};
  bool is_batch = false;
  /// First position of the batch's rows, for functions seeded by row.
  int32_t subtask = 0;
};

/// A function ready for one set of argument types. May keep scratch memory between calls: one per
/// task, one thread.
class ScalarKernel {
 public:
  virtual ~ScalarKernel() = default;
  /// `rows` values from `rows` rows of each argument (some may be constant columns). A row that
  /// fails is put into `errors` and its value is undefined. Functions that are "strict" return NULL
  /// for NULL arguments themselves.
  virtual ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                             int32_t rows,
                             const EvaluationContext& context,
                             RowErrors& errors) = 0;

  /// How many rows a batch should have at most, so that results do not wait long for one another:
  /// slow functions ask for few.
  virtual int32_t preferred_rows() const { return std::numeric_limits<int32_t>::max(); }
};

/// An argument as the binder sees it.
struct BoundArgument {
  DataType type;
  /// Set for literals: formats, units and paths are compiled once.
  std::optional<Value> literal = std::nullopt;
  /// The text comes from a function that makes JSON: it goes into another one as it is.
  bool is_json = false;
};

/// The types that arguments are cast to, and the type of the result.
struct Signature {
  std::vector<DataType> arguments;
  DataType result;
};

/// Why a call does not fit: shown with the accepted forms. "{}" stands for the function's name;
/// empty says only that the types do not fit.
struct NoMatch {
  std::string reason;
};

/// A scalar function, all in one place: name, signature, documentation, example and body.
/// Immutable.
class ScalarFunction {
 public:
  using Bind = std::function<std::variant<Signature, NoMatch>(std::span<const BoundArgument>)>;
  using MakeKernel = std::function<std::unique_ptr<ScalarKernel>(const Signature&,
                                                                 std::span<const BoundArgument>)>;

  /// Upper case; the first is canonical.
  using Expand = std::function<ExpressionPtr(const Expression& call)>;
  std::vector<std::string> names;
  /// How a call reads in EXPLAIN: "{0} + {1}" for operators; empty: NAME(a, b).
  std::string infix = {};
  /// Accepted forms as in the reference, "SUBSTRING(string, start[, length])".
  std::string forms;
  std::string description;
  /// "SUBSTRING('thalweg', 1, 4) -> thal": tested, shown in the reference.
  std::vector<std::string> examples;
  bool is_deterministic = true;
  /// It runs a user's code: in the tasks of a job only, and for each row.
  bool is_foreign = false;
  /// No row can fail, so a condition's branch may be evaluated for rows that do not need it.
  bool is_infallible = false;
  /// One value for a whole statement in batch mode (CURRENT_TIMESTAMP).
  bool is_dynamic = false;
  Bind bind;
  MakeKernel make_kernel;
  /// In place of a kernel: what a call stands for, for functions that must not compute every
  /// operand for every row (IF). Plans still show the call.
  Expand expand = {};
  /// The result is JSON text: in JSON_OBJECT and JSON_ARRAY it stands without quotes.
  bool makes_json = false;
  /// For functions that can fail with some types only: whether they cannot with this result.
  std::function<bool(const DataType& result)> is_infallible_with = {};

  bool can_fail(const DataType& result) const {
    return !is_infallible && !(is_infallible_with && is_infallible_with(result));
  }

  const std::string& name() const { return names.front(); }
};

/// The operands of a call as `bind` and `make_kernel` see them.
std::vector<BoundArgument> bound_arguments(const std::vector<ExpressionPtr>& arguments);

/// Builds a kCall with its arguments cast to the signature; throws kTypeMismatch or
/// kFunctionNotFound-style errors at `position`, naming what was given and what is accepted.
ExpressionPtr make_call(std::shared_ptr<const ScalarFunction> function,
                        std::vector<ExpressionPtr> arguments,
                        SourcePosition position = {});

}  // namespace thalweg::expression
