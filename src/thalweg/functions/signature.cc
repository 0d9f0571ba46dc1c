#include "thalweg/functions/signature.h"

#include <algorithm>

#include "thalweg/common/check.h"
#include "thalweg/expression/type_inference.h"

namespace thalweg::functions {

namespace {

/// What an untyped NULL is taken for.
DataType default_of(Family family) {
  switch (family) {
    case Family::kNumeric:
    case Family::kExact:
    case Family::kInteger:
    case Family::kAny:
      return DataType::integer();
    case Family::kText:
      return DataType::string();
    case Family::kBytes:
      return DataType::bytes();
    case Family::kBoolean:
      return DataType::boolean();
    case Family::kDatetime:
    case Family::kTimestamp:
      return DataType::timestamp(3);
    case Family::kDate:
      return DataType::date();
    case Family::kTime:
      return DataType::time();
    case Family::kInterval:
      return DataType::interval_day_time("DAY", "SECOND");
    case Family::kArray:
      return DataType::array(DataType::integer());
    case Family::kMap:
      return DataType::map(DataType::string(), DataType::string());
  }
  unreachable("family");
}

std::optional<DataType> fit(const Parameter& parameter, const DataType& given) {
  if (const auto* family = std::get_if<Family>(&parameter)) {
    if (given.kind() == TypeKind::kNull) {
      return default_of(*family);
    }
    return is_in(*family, given) ? std::optional(given) : std::nullopt;
  }
  const auto& wanted = std::get<DataType>(parameter);
  if (!expression::can_implicitly_cast(given, wanted)) {
    return std::nullopt;
  }
  return wanted.as_nullable(given.is_nullable());
}

Bind bind_with(Parameters parameters,
               std::function<DataType(const std::vector<DataType>&, bool any_null)> result) {
  return [parameters = std::move(parameters),
          result = std::move(result)](std::span<const BoundArgument> arguments) -> Bound {
    auto types = match(parameters, arguments);
    if (!types) {
      return mismatch(parameters, arguments.size());
    }
    const bool any_null = std::any_of(
        types->begin(), types->end(), [](const DataType& type) { return type.is_nullable(); });
    DataType type = result(*types, any_null);
    return Signature{std::move(*types), std::move(type)};
  };
}

}  // namespace

bool is_in(Family family, const DataType& type) {
  switch (family) {
    case Family::kAny:
      return true;
    case Family::kNumeric:
      return type.is_numeric();
    case Family::kExact:
      return type.is_integer() || type.kind() == TypeKind::kDecimal;
    case Family::kInteger:
      return type.is_integer();
    case Family::kText:
      return type.is_character();
    case Family::kBytes:
      return type.is_binary();
    case Family::kBoolean:
      return type.kind() == TypeKind::kBoolean;
    case Family::kDatetime:
      return type.kind() == TypeKind::kDate || type.is_timestamp();
    case Family::kTimestamp:
      return type.is_timestamp();
    case Family::kDate:
      return type.kind() == TypeKind::kDate;
    case Family::kTime:
      return type.kind() == TypeKind::kTime;
    case Family::kInterval:
      return type.is_interval();
    case Family::kArray:
      return type.kind() == TypeKind::kArray;
    case Family::kMap:
      return type.kind() == TypeKind::kMap;
  }
  unreachable("family");
}

std::optional<std::vector<DataType>> match(const Parameters& parameters,
                                           std::span<const BoundArgument> arguments) {
  const size_t fixed = parameters.fixed.size();
  const size_t named = fixed + parameters.optional.size();
  if (arguments.size() < fixed || (arguments.size() > named && parameters.repeated.empty())) {
    return std::nullopt;
  }
  std::vector<DataType> types;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter =
        i < fixed ? parameters.fixed[i]
                  : (i < named ? parameters.optional[i - fixed]
                               : parameters.repeated[(i - named) % parameters.repeated.size()]);
    auto type = fit(parameter, arguments[i].type);
    if (!type) {
      return std::nullopt;
    }
    types.push_back(std::move(*type));
  }
  return types;
}

NoMatch mismatch(const Parameters& parameters, size_t given) {
  const size_t least = parameters.fixed.size();
  const size_t most = least + parameters.optional.size();
  if (given >= least && (given <= most || !parameters.repeated.empty())) {
    return {};
  }
  std::string wanted = std::to_string(least);
  if (!parameters.repeated.empty()) {
    wanted = "at least " + wanted;
  } else if (most > least) {
    wanted += " to " + std::to_string(most);
  }
  return {fmt::format("Invalid number of arguments to function '{{}}'. Was expecting {} arguments",
                      wanted)};
}

Bind strict(Parameters parameters, DataType type) {
  return bind_with(std::move(parameters),
                   [type = std::move(type)](const std::vector<DataType>&, bool any_null) {
                     return type.as_nullable(any_null);
                   });
}

Bind nullable(Parameters parameters, DataType type) {
  return bind_with(
      std::move(parameters),
      [type = std::move(type)](const std::vector<DataType>&, bool) { return type.as_nullable(); });
}

Bind strict_like(Parameters parameters, size_t index) {
  return bind_with(std::move(parameters),
                   [index](const std::vector<DataType>& types, bool any_null) {
                     return types[index].as_nullable(any_null);
                   });
}

Bind any_of(std::vector<Bind> binds) {
  return [binds = std::move(binds)](std::span<const BoundArgument> arguments) -> Bound {
    NoMatch reason;
    for (const Bind& bind : binds) {
      Bound bound = bind(arguments);
      if (std::holds_alternative<Signature>(bound)) {
        return bound;
      }
      reason = std::get<NoMatch>(bound);
    }
    return reason;
  };
}

std::optional<NoMatch> refuse_null_literal(std::span<const BoundArgument> arguments) {
  const bool has_null =
      std::any_of(arguments.begin(), arguments.end(), [](const BoundArgument& argument) {
        return argument.type.kind() == TypeKind::kNull;
      });
  return has_null ? std::optional(NoMatch{"Illegal use of 'NULL'"}) : std::nullopt;
}

bool any_nullable(std::span<const BoundArgument> arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const BoundArgument& argument) {
    return argument.type.is_nullable();
  });
}

std::optional<std::string> literal_text(std::span<const BoundArgument> arguments, size_t index) {
  if (index >= arguments.size() || !arguments[index].literal) {
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&arguments[index].literal->data);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<int64_t> literal_integer(std::span<const BoundArgument> arguments, size_t index) {
  if (index >= arguments.size() || !arguments[index].literal) {
    return std::nullopt;
  }
  const auto* integer = std::get_if<int64_t>(&arguments[index].literal->data);
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

}  // namespace thalweg::functions
