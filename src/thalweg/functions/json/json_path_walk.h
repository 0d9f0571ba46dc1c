#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "thalweg/functions/json/json_path_steps.h"

namespace thalweg::functions::json_path {

/// How a walk ends. The kinds of failure differ in who takes them for what: a `*` passes over what
/// is not found, a filter takes what is not found or invalid for false.
enum class End : uint8_t { kDone, kNotFound, kInvalid, kFailed };

/// What walks of one document share. Borrowed; values that no document holds are kept in `made`.
struct Surroundings {
  const JsonValue& document;
  /// Lax: what is missing is passed over.
  bool is_lax = false;
  /// A missing name is a failure: in tests for existence.
  bool requires_names = false;
  std::deque<JsonValue>& made;

  const JsonValue* make(JsonValue value) const { return &made.emplace_back(std::move(value)); }
};

/// One evaluation of a path: `run` collects what it finds, `value` is what that amounts to.
class Walk {
 public:
  Walk(const Steps& path, Surroundings surroundings)
      : path_(path), surroundings_(surroundings), array_index_(path.steps.size() + 1, -1) {}

  End run(const JsonValue& start) { return go(0, start); }

  /// The value found last of a definite path, where a lax one may find none (nullptr); else an
  /// array of all.
  End value(bool is_definite, const JsonValue*& value) const;

 private:
  End go(size_t index, const JsonValue& value);
  End names(size_t index, const JsonValue& value);
  End member(size_t index, const JsonValue& object, const std::string& name);
  End merged(size_t index, const JsonValue& object);
  End elements(size_t index, const JsonValue& value);
  End element(size_t index, const JsonValue& array, int64_t place);
  End all(size_t index, const JsonValue& value);
  End deep(size_t index, const JsonValue& value);
  End deep_from(size_t index, const JsonValue& value);
  End filter(size_t index, const JsonValue& value);
  End function(size_t index, const JsonValue& value);

  bool is_last(size_t index) const { return index + 1 == path_.steps.size(); }

  bool is_definite_before(size_t index) const;
  /// Nothing, or kNotFound where a value of another kind cannot be passed over.
  End wrong_kind(size_t index) const;
  bool is_wanted_here(size_t index) const;
  /// Whether a deep scan takes the step from this value.
  End scans(size_t index, const JsonValue& value, bool& takes) const;

  const Steps& path_;
  Surroundings surroundings_;
  /// For each step, which element of an array a deep scan has brought it to, or -1.
  std::vector<int32_t> array_index_;
  std::vector<const JsonValue*> found_;
};

/// A whole path; nullptr in `value` for a lax one that finds none.
End find_value(const Steps& path,
               const Surroundings& surroundings,
               const JsonValue& start,
               const JsonValue*& value);

/// A path's function of `value`; nullptr in `result` for null.
End call_function(const Step& step,
                  const JsonValue& value,
                  const Surroundings& surroundings,
                  const JsonValue*& result);

/// Whether the item meets the condition; kFailed ends the whole path.
End meets(const Filter& filter,
          const JsonValue& item,
          const Surroundings& surroundings,
          bool& result);

}  // namespace thalweg::functions::json_path
