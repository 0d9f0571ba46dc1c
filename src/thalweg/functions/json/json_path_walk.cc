#include "thalweg/functions/json/json_path_walk.h"

#include <algorithm>
#include <utility>

#include "thalweg/functions/json/json_filter.h"

namespace thalweg::functions::json_path {

using Kind = JsonValue::Kind;

bool Walk::is_definite_before(size_t index) const {
  return std::all_of(path_.steps.begin(),
                     path_.steps.begin() + static_cast<ptrdiff_t>(index),
                     [](const Step& step) { return step.is_definite(false); });
}

End Walk::wrong_kind(size_t index) const {
  return surroundings_.is_lax || !is_definite_before(index) ? End::kDone : End::kNotFound;
}

/// Behind a deep scan through an array, a last name counts only in the element whose index the step
/// before it names (Jayway's way of making `$..[0].a` work).
bool Walk::is_wanted_here(size_t index) const {
  const int32_t place = array_index_[index];
  if (place < 0) {
    return true;
  }
  const Step& before = path_.steps[path_.steps.size() - 2];
  return before.kind == StepKind::kIndexes && before.indexes == std::vector<int32_t>{place};
}

End Walk::go(size_t index, const JsonValue& value) {
  if (index == path_.steps.size()) {
    found_.push_back(&value);
    return End::kDone;
  }
  switch (path_.steps[index].kind) {
    case StepKind::kNames:
      return names(index, value);
    case StepKind::kIndexes:
    case StepKind::kSlice:
      return elements(index, value);
    case StepKind::kAll:
      return all(index, value);
    case StepKind::kDeep:
      return deep(index + 1, value);
    case StepKind::kFilter:
      return filter(index, value);
    case StepKind::kFunction:
      return function(index, value);
  }
  return End::kFailed;
}

End Walk::names(size_t index, const JsonValue& value) {
  if (value.kind != Kind::kObject) {
    return wrong_kind(index);
  }
  const std::vector<std::string>& names = path_.steps[index].names;
  if (names.size() > 1 && is_last(index)) {
    return merged(index, value);
  }
  for (const std::string& name : names) {
    if (const End end = member(index, value, name); end != End::kDone) {
      return end;
    }
  }
  return End::kDone;
}

End Walk::member(size_t index, const JsonValue& object, const std::string& name) {
  const JsonValue* value = object.member(name);
  if (value != nullptr) {
    return is_last(index) && !is_wanted_here(index) ? End::kDone : go(index + 1, *value);
  }
  const bool is_definite =
      is_definite_before(index) && path_.steps[index].is_definite(is_last(index));
  const bool may_miss =
      surroundings_.is_lax || (!surroundings_.requires_names && (is_last(index) || !is_definite));
  return may_miss ? End::kDone : End::kNotFound;
}

End Walk::merged(size_t index, const JsonValue& object) {
  JsonValue chosen;
  chosen.kind = Kind::kObject;
  for (const std::string& name : path_.steps[index].names) {
    if (const JsonValue* value = object.member(name)) {
      if (chosen.member(name) == nullptr) {
        chosen.keys.push_back(name);
        chosen.items.push_back(*value);
      }
    } else if (surroundings_.requires_names) {
      return End::kNotFound;
    }
  }
  found_.push_back(surroundings_.make(std::move(chosen)));
  return End::kDone;
}

End Walk::elements(size_t index, const JsonValue& value) {
  if (value.kind != Kind::kArray) {
    return wrong_kind(index);
  }
  const Step& step = path_.steps[index];
  if (step.kind == StepKind::kIndexes) {
    for (const int32_t place : step.indexes) {
      if (const End end = element(index, value, place); end != End::kDone) {
        return end;
      }
    }
    return End::kDone;
  }
  const auto size = static_cast<int64_t>(value.items.size());
  // With both ends only single places count from the array's end, as in Jayway: [-2:1] is the last
  // two and the first, [0:-1] none.
  int64_t begin = step.from.value_or(0);
  int64_t end = std::min<int64_t>(size, step.to.value_or(size));
  if (!step.to && begin < 0) {
    begin = std::max<int64_t>(0, begin + size);
  } else if (!step.from && end < 0) {
    end += size;
  }
  for (int64_t place = std::max(begin, -size); place < end; ++place) {
    if (const End stop = element(index, value, place); stop != End::kDone) {
      return stop;
    }
  }
  return End::kDone;
}

End Walk::element(size_t index, const JsonValue& array, int64_t place) {
  const auto size = static_cast<int64_t>(array.items.size());
  place += place < 0 ? size : 0;
  return place < 0 || place >= size ? End::kDone
                                    : go(index + 1, array.items[static_cast<size_t>(place)]);
}

End Walk::all(size_t index, const JsonValue& value) {
  const bool is_array = value.kind == Kind::kArray;
  if (!is_array && is_last(index) && !is_wanted_here(index)) {
    return End::kDone;
  }
  for (const JsonValue& item : value.items) {
    const End end = go(index + 1, item);
    const bool passes_over = is_array && end == End::kNotFound && !surroundings_.requires_names;
    if (end != End::kDone && !passes_over) {
      return end;
    }
  }
  return End::kDone;
}

End Walk::scans(size_t index, const JsonValue& value, bool& takes) const {
  const Step& step = path_.steps[index];
  switch (step.kind) {
    case StepKind::kNames:
      takes = value.kind == Kind::kObject &&
              (!step.is_definite(is_last(index)) ||
               std::all_of(step.names.begin(), step.names.end(), [&](const std::string& name) {
                 return value.member(name) != nullptr;
               }));
      return End::kDone;
    case StepKind::kIndexes:
    case StepKind::kSlice:
      takes = value.kind == Kind::kArray;
      return End::kDone;
    case StepKind::kAll:
      takes = true;
      return End::kDone;
    case StepKind::kFilter:
      return meets(*step.filter, value, surroundings_, takes);
    case StepKind::kDeep:
    case StepKind::kFunction:
      takes = false;
      return End::kDone;
  }
  return End::kFailed;
}

End Walk::deep(size_t index, const JsonValue& value) {
  if (value.kind != Kind::kArray && value.kind != Kind::kObject) {
    return End::kDone;
  }
  bool takes = false;
  if (const End end = scans(index, value, takes); end != End::kDone) {
    return end;
  }
  if (takes) {
    if (const End end = deep_from(index, value); end != End::kDone) {
      return end;
    }
  }
  for (const JsonValue& item : value.items) {
    if (const End end = deep(index, item); end != End::kDone) {
      return end;
    }
  }
  return End::kDone;
}

/// From an array the step behind is taken at once, for each element, whatever the step itself says.
End Walk::deep_from(size_t index, const JsonValue& value) {
  if (value.kind == Kind::kObject || is_last(index)) {
    return go(index, value);
  }
  for (size_t i = 0; i < value.items.size(); ++i) {
    array_index_[index + 1] = static_cast<int32_t>(i);
    if (const End end = go(index + 1, value.items[i]); end != End::kDone) {
      return end;
    }
  }
  return End::kDone;
}

End Walk::filter(size_t index, const JsonValue& value) {
  const Filter& filter = *path_.steps[index].filter;
  if (value.kind != Kind::kObject && value.kind != Kind::kArray) {
    return is_definite_before(index) ? End::kInvalid : End::kDone;
  }
  const auto take = [&](const JsonValue& item) {
    bool is_met = false;
    const End end = meets(filter, item, surroundings_, is_met);
    return end == End::kDone && is_met ? go(index + 1, item) : end;
  };
  if (value.kind == Kind::kObject) {
    return take(value);
  }
  for (const JsonValue& item : value.items) {
    if (const End end = take(item); end != End::kDone) {
      return end;
    }
  }
  return End::kDone;
}

End Walk::function(size_t index, const JsonValue& value) {
  const JsonValue* result = nullptr;
  if (const End end = call_function(path_.steps[index], value, surroundings_, result);
      end != End::kDone) {
    return end;
  }
  if (result == nullptr) {
    result = surroundings_.make(JsonValue());
  }
  found_.push_back(result);
  return is_last(index) ? End::kDone : go(index + 1, *result);
}

End Walk::value(bool is_definite, const JsonValue*& value) const {
  value = nullptr;
  if (!is_definite) {
    JsonValue list;
    list.kind = Kind::kArray;
    for (const JsonValue* item : found_) {
      list.items.push_back(*item);
    }
    value = surroundings_.make(std::move(list));
    return End::kDone;
  }
  if (!found_.empty()) {
    value = found_.back();
    return End::kDone;
  }
  return surroundings_.is_lax ? End::kDone : End::kNotFound;
}

End find_value(const Steps& path,
               const Surroundings& surroundings,
               const JsonValue& start,
               const JsonValue*& value) {
  Walk walk(path, surroundings);
  const End end = walk.run(start);
  return end == End::kDone ? walk.value(path.is_definite(), value) : end;
}

}  // namespace thalweg::functions::json_path
