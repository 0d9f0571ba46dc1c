#include "functions/differential/generator.h"

#include <algorithm>

#include "functions/differential/values.h"
#include "functions/evaluate.h"
#include "thalweg/expression/type_inference.h"

namespace thalweg::functions::differential {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::make_call;
using expression::make_cast;
using expression::make_column;
using expression::make_form;
using expression::make_literal;

namespace {

constexpr int kMaxDepth = 4;

/// A number of these makes a text as long as it says.
bool multiplies_text(const std::string& name) {
  return name == "REPEAT" || name == "LPAD" || name == "RPAD";
}

bool all_nullable(const std::vector<ExpressionPtr>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const ExpressionPtr& operand) {
    return operand->type.is_nullable();
  });
}

bool any_nullable(const std::vector<ExpressionPtr>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const ExpressionPtr& operand) {
    return operand->type.is_nullable();
  });
}

}  // namespace

ExpressionPtr Generator::make(Random& random) const {
  const int depth = static_cast<int>(random.between(1, kMaxDepth));
  return random.chance(70) ? any(depth, random)
                           : of_type(random.pick(sample_types()), depth, random);
}

ExpressionPtr Generator::any(int depth, Random& random) const {
  try {
    if (random.chance(15)) {
      return cast(depth, random);
    }
    return random.chance(25)
               ? filled(random.pick(catalogue_.templates()), depth, random)
               : call(random.pick(random.pick(catalogue_.functions())), depth, random);
  } catch (const Error&) {
    // The operands turned out to be of types that the function refuses.
    return of_type(random.pick(sample_types()), depth - 1, random);
  }
}

ExpressionPtr Generator::leaf(const DataType& type, Random& random) const {
  const auto& types = sample_types();
  const auto sample = std::find_if(types.begin(), types.end(), [&type](const DataType& candidate) {
    return candidate.equals_ignoring_nullability(type);
  });
  if (sample == types.end() || random.chance(20)) {
    Value value = random_value(type, random);
    const DataType literal = type.as_nullable(value.is_null());
    return make_literal(literal, std::move(value));
  }
  const auto column =
      static_cast<int32_t>(2 * (sample - types.begin()) + (random.chance(30) ? 1 : 0));
  return make_column({column}, sample_schema()[static_cast<size_t>(column)].type);
}

ExpressionPtr Generator::of_type(const DataType& type, int depth, Random& random) const {
  if (depth <= 0 || random.chance(20)) {
    return leaf(type, random);
  }
  try {
    const auto* forms = catalogue_.giving(type.kind());
    if (random.chance(40) || forms == nullptr) {
      return form(type, depth - 1, random);
    }
    return call(random.pick(*forms), depth - 1, random);
  } catch (const Error&) {
    return leaf(type, random);
  }
}

std::vector<ExpressionPtr> Generator::operands(const DataType& type,
                                               size_t count,
                                               int depth,
                                               Random& random) const {
  std::vector<ExpressionPtr> made;
  for (size_t i = 0; i < count; ++i) {
    made.push_back(of_type(type, depth, random));
  }
  return made;
}

ExpressionPtr Generator::form(const DataType& type, int depth, Random& random) const {
  const size_t kind = random.below(type.kind() == TypeKind::kBoolean ? 5 : 3);
  if (kind == 0) {
    std::vector<ExpressionPtr> values = operands(type, 2 + random.below(2), depth, random);
    const DataType result = type.as_nullable(any_nullable(values));
    std::vector<ExpressionPtr> all;
    for (const ExpressionPtr& value : values) {
      if (all.size() + 1 < 2 * values.size() - 1) {
        all.push_back(of_type(DataType::boolean(), depth, random));
      }
      all.push_back(value);
    }
    return make_form(ExpressionKind::kCase, result, std::move(all));
  }
  if (kind == 1) {
    std::vector<ExpressionPtr> values = operands(type, 2 + random.below(2), depth, random);
    const DataType result = type.as_nullable(all_nullable(values));
    return make_form(ExpressionKind::kCoalesce, result, std::move(values));
  }
  if (kind == 2) {
    const DataType& source = random.pick(sample_types());
    if (!expression::can_cast(source, type)) {
      return leaf(type, random);
    }
    const ExpressionPtr operand = of_type(source, depth, random);
    return make_cast(operand, type.as_nullable(operand->type.is_nullable()), random.chance(30));
  }
  std::vector<ExpressionPtr> sides = operands(type, 2 + random.below(2), depth, random);
  const DataType result = type.as_nullable(any_nullable(sides));
  return make_form(
      kind == 3 ? ExpressionKind::kAnd : ExpressionKind::kOr, result, std::move(sides));
}

/// Between any two types that can be.
ExpressionPtr Generator::cast(int depth, Random& random) const {
  constexpr int kTries = 20;
  constexpr int kTypeDepth = 2;
  for (int i = 0; i < kTries; ++i) {
    const DataType source =
        random.chance(70) ? random.pick(sample_types()) : random_type(kTypeDepth, random);
    const DataType target = random_type(kTypeDepth, random);
    if (expression::can_cast(source, target)) {
      const ExpressionPtr operand = of_type(source, depth - 1, random);
      return make_cast(operand, target.as_nullable(operand->type.is_nullable()), random.chance(30));
    }
  }
  return leaf(DataType::integer(), random);
}

ExpressionPtr Generator::argument(const Form& form, size_t index, int depth, Random& random) const {
  const Slot& slot = form.slots[index];
  if (slot.literal) {
    return make_literal(slot.type, *slot.literal);
  }
  if (multiplies_text(form.function->name()) && slot.type.is_integer()) {
    return make_literal(DataType::integer().not_null(), Value(random.between(-1, 20)));
  }
  return of_type(slot.type, depth, random);
}

ExpressionPtr Generator::call(const Form& form, int depth, Random& random) const {
  std::vector<ExpressionPtr> arguments;
  for (size_t i = 0; i < form.slots.size(); ++i) {
    arguments.push_back(argument(form, i, depth, random));
  }
  return make_call(form.function, std::move(arguments));
}

ExpressionPtr Generator::filled(const ExpressionPtr& pattern, int depth, Random& random) const {
  if (pattern->kind == ExpressionKind::kColumn) {
    const ExpressionPtr made = of_type(pattern->type, depth - 1, random);
    const bool fits = made->type.equals_ignoring_nullability(pattern->type) &&
                      (pattern->type.is_nullable() || !made->type.is_nullable());
    return fits ? made : pattern;
  }
  if (pattern->operands.empty()) {
    return pattern;
  }
  Expression copy = *pattern;
  for (ExpressionPtr& operand : copy.operands) {
    operand = filled(operand, depth, random);
  }
  return std::make_shared<const Expression>(std::move(copy));
}

}  // namespace thalweg::functions::differential
