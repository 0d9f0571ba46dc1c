// The functions that a JSON path may end with: $.a.length(), $.a.sum(), as Jayway has them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/functions/json/json_path_walk.h"
#include "thalweg/types/text.h"

namespace thalweg::functions::json_path {

using Kind = JsonValue::Kind;

namespace {

/// What a function may ask of its call.
struct Call {
  const Step& step;
  const JsonValue& value;
  const Surroundings& surroundings;
  /// One for each parameter; nullptr for null.
  std::vector<const JsonValue*> parameters = {};
};

JsonValue scalar(Kind kind, std::string text) {
  JsonValue value;
  value.kind = kind;
  value.text = std::move(text);
  return value;
}

JsonValue double_value(double number) {
  std::string text;
  text::append_double(text, number);
  return scalar(Kind::kNumber, std::move(text));
}

/// The value's elements, or itself.
std::span<const JsonValue> spread(const JsonValue& value) {
  return value.kind == Kind::kArray ? std::span(value.items) : std::span(&value, 1);
}

void add_numbers(std::span<const JsonValue> values, std::vector<double>& numbers) {
  for (const JsonValue& value : values) {
    if (value.kind == Kind::kNumber) {
      numbers.push_back(text::parse_double(value.text).value_or(0));
    }
  }
}

std::vector<double> numbers_of_parameters(const Call& call) {
  std::vector<double> numbers;
  for (const JsonValue* parameter : call.parameters) {
    if (parameter != nullptr) {
      add_numbers(spread(*parameter), numbers);
    }
  }
  return numbers;
}

using Aggregate = double (*)(const std::vector<double>& numbers);

double sum(const std::vector<double>& numbers) {
  double total = 0;
  for (const double number : numbers) {
    total += number;
  }
  return total;
}

double average(const std::vector<double>& numbers) {
  return sum(numbers) / static_cast<double>(numbers.size());
}

double least(const std::vector<double>& numbers) {
  return *std::min_element(numbers.begin(), numbers.end());
}

/// Never below the smallest positive number, where Jayway starts.
double greatest(const std::vector<double>& numbers) {
  return std::max(std::numeric_limits<double>::denorm_min(),
                  *std::max_element(numbers.begin(), numbers.end()));
}

double deviation(const std::vector<double>& numbers) {
  double squares = 0;
  for (const double number : numbers) {
    squares += number * number;
  }
  const auto count = static_cast<double>(numbers.size());
  const double total = sum(numbers);
  return std::sqrt(squares / count - total * total / count / count);
}

template <Aggregate aggregate>
End aggregated(const Call& call, const JsonValue*& result) {
  std::vector<double> numbers;
  if (call.value.kind == Kind::kArray) {
    add_numbers(call.value.items, numbers);
  }
  const std::vector<double> more = numbers_of_parameters(call);
  numbers.insert(numbers.end(), more.begin(), more.end());
  if (numbers.empty()) {
    return End::kFailed;
  }
  result = call.surroundings.make(double_value(aggregate(numbers)));
  return End::kDone;
}

/// Element `index`, from the end when it is negative; never the first from there, as in Jayway.
End element(const Call& call, int64_t index, const JsonValue*& result) {
  const auto size = static_cast<int64_t>(call.value.items.size());
  const int64_t place = index < 0 ? index + size : index;
  if (call.value.kind != Kind::kArray || place >= size || place < (index < 0 ? 1 : 0)) {
    return End::kFailed;
  }
  result = &call.value.items[static_cast<size_t>(place)];
  return End::kDone;
}

End first(const Call& call, const JsonValue*& result) {
  return element(call, 0, result);
}

End last(const Call& call, const JsonValue*& result) {
  return element(call, -1, result);
}

End at_index(const Call& call, const JsonValue*& result) {
  const std::vector<double> numbers = numbers_of_parameters(call);
  return numbers.empty() ? End::kFailed
                         : element(call, static_cast<int64_t>(numbers.front()), result);
}

End concatenated(const Call& call, const JsonValue*& result) {
  JsonValue joined = scalar(Kind::kString, {});
  if (call.value.kind == Kind::kArray) {
    for (const JsonValue& item : call.value.items) {
      joined.text += item.kind == Kind::kString ? item.text : "";
    }
  }
  for (const JsonValue* parameter : call.parameters) {
    for (const JsonValue& item :
         parameter == nullptr ? std::span<const JsonValue>() : spread(*parameter)) {
      if (item.is_scalar()) {
        joined.text += scalar_text(item);
      } else if (item.kind != Kind::kNull) {
        append_json(joined.text, item);
      }
    }
  }
  result = call.surroundings.make(std::move(joined));
  return End::kDone;
}

End appended(const Call& call, const JsonValue*& result) {
  result = &call.value;
  if (call.value.kind == Kind::kArray && !call.parameters.empty()) {
    JsonValue longer = call.value;
    for (const JsonValue* parameter : call.parameters) {
      longer.items.push_back(parameter == nullptr ? JsonValue() : *parameter);
    }
    result = call.surroundings.make(std::move(longer));
  }
  return End::kDone;
}

End keys(const Call& call, const JsonValue*& result) {
  if (call.value.kind == Kind::kObject) {
    JsonValue names;
    names.kind = Kind::kArray;
    for (const std::string& key : call.value.keys) {
      names.items.push_back(scalar(Kind::kString, key));
    }
    result = call.surroundings.make(std::move(names));
  }
  return End::kDone;
}

/// A parameter's path is asked for what it finds inside of what it leads to.
End length(const Call& call, const JsonValue*& result) {
  const JsonValue* measured = &call.value;
  if (!call.step.parameters.empty()) {
    const Parameter& parameter = call.step.parameters.front();
    if (parameter.path == nullptr) {
      return End::kFailed;
    }
    Steps path = *parameter.path;
    const bool is_definite = path.is_definite();
    if (!path.steps.empty() && !path.ends_in_function()) {
      path.steps.push_back({StepKind::kAll});
    }
    Walk walk(path, {call.value, call.surroundings.is_lax, false, call.surroundings.made});
    End end = walk.run(call.value);
    const JsonValue* inner = nullptr;
    end = end == End::kDone ? walk.value(is_definite, inner) : end;
    if (end != End::kDone) {
      return end;
    }
    measured = inner != nullptr && inner->kind == Kind::kArray ? inner : measured;
  }
  if (measured->kind == Kind::kArray || measured->kind == Kind::kObject) {
    result = call.surroundings.make(scalar(Kind::kNumber, std::to_string(measured->items.size())));
  }
  return End::kDone;
}

struct Function {
  std::string_view name;
  End (*body)(const Call& call, const JsonValue*& result);
};

constexpr Function kFunctions[] = {
    {"avg", aggregated<average>},
    {"stddev", aggregated<deviation>},
    {"sum", aggregated<sum>},
    {"min", aggregated<least>},
    {"max", aggregated<greatest>},
    {"concat", concatenated},
    {"length", length},
    {"size", length},
    {"append", appended},
    {"keys", keys},
    {"first", first},
    {"last", last},
    {"index", at_index},
};

}  // namespace

End call_function(const Step& step,
                  const JsonValue& value,
                  const Surroundings& surroundings,
                  const JsonValue*& result) {
  result = nullptr;
  const auto* function =
      std::find_if(std::begin(kFunctions), std::end(kFunctions), [&](const Function& known) {
        return known.name == step.function;
      });
  if (function == std::end(kFunctions)) {
    return End::kInvalid;
  }
  Call call{step, value, surroundings};
  for (const Parameter& parameter : step.parameters) {
    const JsonValue* given = parameter.json ? &*parameter.json : nullptr;
    if (parameter.path != nullptr) {
      const End end = find_value(*parameter.path, surroundings, surroundings.document, given);
      if (end != End::kDone) {
        return end;
      }
    } else if (given == nullptr) {
      return End::kFailed;
    }
    call.parameters.push_back(given);
  }
  return function->body(call, result);
}

}  // namespace thalweg::functions::json_path
