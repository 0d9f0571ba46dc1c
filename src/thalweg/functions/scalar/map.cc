// MAP_KEYS, MAP_VALUES, MAP_ENTRIES, MAP_FROM_ARRAYS, MAP_UNION, STR_TO_MAP, SPLIT.
#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/regex/regex.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/column_operations.h"
#include "thalweg/types/java_map_order.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// The keys (child 0) or values (child 1) of a map as an array.
ScalarFunction part_of_map(std::string name, size_t child, std::string what, std::string example) {
  ScalarFunction function = documented(
      {{name}, fmt::format("'{}(<MAP>)'", name), fmt::format("The {} of a map.", what), {example}},
      [child](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 1 || arguments[0].type.kind() != TypeKind::kMap) {
          return NoMatch{};
        }
        const DataType& map = arguments[0].type;
        return Signature{{map}, DataType::array(map.child(child)).as_nullable(map.is_nullable())};
      });
  function.is_infallible = true;
  function.make_kernel = [child](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        true,
        [child](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          const Column& map = *arguments[0];
          for (int32_t i = map.list_begin(row); i < map.list_end(row); ++i) {
            builder.child(0).append_from(*map.child(child), i);
          }
          builder.append_list();
        });
  };
  return function;
}

ScalarFunction map_entries_function() {
  ScalarFunction function = documented(
      {{"MAP_ENTRIES"},
       "'MAP_ENTRIES(<MAP>)'",
       "The entries of a map as an array of rows.",
       {"MAP_ENTRIES(MAP['a', 1]) -> [(a, 1)]"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 1 || arguments[0].type.kind() != TypeKind::kMap) {
          return NoMatch{};
        }
        const DataType& map = arguments[0].type;
        const DataType row = DataType::row({{"key", map.child(0)}, {"value", map.child(1)}});
        return Signature{{map}, DataType::array(row).as_nullable(map.is_nullable())};
      });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        true,
        [](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          const Column& map = *arguments[0];
          ColumnBuilder& entries = builder.child(0);
          for (int32_t i = map.list_begin(row); i < map.list_end(row); ++i) {
            entries.child(0).append_from(*map.child(0), i);
            entries.child(1).append_from(*map.child(1), i);
            entries.append_struct();
          }
          builder.append_list();
        });
  };
  return function;
}

/// Collects entries; a key that comes again replaces the value of the earlier one.
class MapMaker {
 public:
  void put(const Column& keys, int32_t key, const Column& values, int32_t value) {
    for (Entry& entry : entries_) {
      if (equal_values(*entry.keys, entry.key, keys, key)) {
        entry.values = &values;
        entry.value = value;
        return;
      }
    }
    entries_.push_back({&keys, key, &values, value});
  }

  /// Leaves the value of a key that is there.
  void put_new(const Column& keys, int32_t key, const Column& values, int32_t value) {
    const bool known = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return equal_values(*entry.keys, entry.key, keys, key);
    });
    if (!known) {
      entries_.push_back({&keys, key, &values, value});
    }
  }

  void append(ColumnBuilder& builder) const {
    for (const Entry& entry : entries_) {
      builder.child(0).append_from(*entry.keys, entry.key);
      builder.child(1).append_from(*entry.values, entry.value);
    }
    builder.append_list();
  }

 private:
  struct Entry {
    const Column* keys;
    int32_t key;
    const Column* values;
    int32_t value;
  };

  std::vector<Entry> entries_;
};

ScalarFunction map_from_arrays_function() {
  ScalarFunction function =
      documented({{"MAP_FROM_ARRAYS"},
                  "'MAP_FROM_ARRAYS(<ARRAY> keys, <ARRAY> values)'",
                  "A map of two arrays of the same length.",
                  {"MAP_FROM_ARRAYS(ARRAY['a', 'b'], ARRAY[1, 2]) -> {a=1, b=2}"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   auto types = match({{Family::kArray, Family::kArray}}, arguments);
                   if (!types) {
                     return NoMatch{};
                   }
                   const DataType map = DataType::map((*types)[0].child(0), (*types)[1].child(0))
                                            .as_nullable(any_nullable(arguments));
                   return Signature{std::move(*types), map};
                 });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors& errors) {
      ColumnBuilder builder(type);
      const Column& keys = *arguments[0];
      const Column& values = *arguments[1];
      for (int32_t row = 0; row < rows; ++row) {
        if (keys.is_null(row) || values.is_null(row)) {
          builder.append_null();
          continue;
        }
        const int32_t size = keys.list_end(row) - keys.list_begin(row);
        if (size != values.list_end(row) - values.list_begin(row)) {
          errors.add(row,
                     Error(ErrorCode::kInvalidArgument,
                           "Invalid function MAP_FROM_ARRAYS call: The length of the keys array "
                           "is not equal to the length of the values array"));
          builder.append_null();
          continue;
        }
        MapMaker map;
        for (int32_t i = 0; i < size; ++i) {
          map.put(*keys.child(0),
                  keys.list_begin(row) + i,
                  *values.child(0),
                  values.list_begin(row) + i);
        }
        map.append(builder);
      }
      return builder.finish();
    });
  };
  return function;
}

ScalarFunction map_union_function() {
  ScalarFunction function =
      documented({{"MAP_UNION"},
                  "'MAP_UNION(<MAP>, <MAP>, ...)'",
                  "The entries of all maps; for a key of several the value of the last.",
                  {"MAP_UNION(MAP['a', 1], MAP['a', 2, 'b', 3]) -> {a=2, b=3}"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   std::vector<DataType> types;
                   for (const BoundArgument& argument : arguments) {
                     types.push_back(argument.type);
                   }
                   const auto common = expression::common_argument_type(types);
                   if (!common || common->kind() != TypeKind::kMap) {
                     return NoMatch{};
                   }
                   return Signature{std::vector<DataType>(arguments.size(), *common), *common};
                 });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        true,
        [](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          // The last map's entries come first, as in Flink's result.
          MapMaker map;
          for (size_t index = arguments.size(); index > 0; --index) {
            const Column& argument = *arguments[index - 1];
            for (int32_t i = argument.list_begin(row); i < argument.list_end(row); ++i) {
              map.put_new(*argument.child(0), i, *argument.child(1), i);
            }
          }
          map.append(builder);
        });
  };
  return function;
}

/// Java's String.split: separators are regular expressions, empty parts at the end go.
std::vector<std::string_view> split_by(Regex* separator, std::string_view text) {
  std::vector<std::string_view> parts;
  if (separator == nullptr) {
    return {text};
  }
  size_t begin = 0;
  for (size_t start = 0; separator->find(text, start); start = separator->next_start()) {
    if (separator->match_end() == 0) {
      continue;  // a match of no characters at the start makes no part
    }
    parts.push_back(text.substr(begin, separator->match_begin() - begin));
    begin = separator->match_end();
  }
  parts.push_back(text.substr(begin));
  const bool is_split = parts.size() > 1;
  while (is_split && !parts.empty() && parts.back().empty()) {
    parts.pop_back();
  }
  return parts;
}

/// The parts before and behind the first separator; no second part when there is none.
std::pair<std::string_view, std::optional<std::string_view>> split_once(Regex* separator,
                                                                        std::string_view text) {
  if (separator == nullptr || !separator->find(text) || separator->match_end() == 0) {
    return {text, std::nullopt};
  }
  return {text.substr(0, separator->match_begin()), text.substr(separator->match_end())};
}

using TextMap = std::vector<std::pair<std::string_view, std::optional<std::string_view>>>;

/// Flink's result is a Java HashMap made for `expected` entries: brings `map` into its order.
void order_as_java(TextMap& map, size_t expected) {
  size_t buckets = 1;
  while (buckets < expected) {
    buckets *= 2;
  }
  while (map.size() > buckets * 3 / 4) {
    buckets *= 2;
  }
  const auto bucket = [buckets](std::string_view key) {
    const uint32_t hash = java_text_hash(key);
    return (hash ^ hash >> 16U) & static_cast<uint32_t>(buckets - 1);
  };
  std::stable_sort(map.begin(), map.end(), [&](const auto& left, const auto& right) {
    return bucket(left.first) < bucket(right.first);
  });
}

void append_text_map(Regex* entries, Regex* keys, std::string_view text, ColumnBuilder& builder) {
  TextMap map;
  const auto parts = text.empty() ? std::vector<std::string_view>() : split_by(entries, text);
  for (const std::string_view entry : parts) {
    const auto [key, value] = split_once(keys, entry);
    const auto known = std::find_if(
        map.begin(), map.end(), [&key = key](const auto& other) { return other.first == key; });
    if (known == map.end()) {
      map.emplace_back(key, value);
    } else {
      known->second = value;
    }
  }
  order_as_java(map, parts.size());
  for (const auto& [key, value] : map) {
    builder.child(0).append_string(key);
    value ? builder.child(1).append_string(*value) : builder.child(1).append_null();
  }
  builder.append_list();
}

ScalarFunction str_to_map_function() {
  ScalarFunction function = documented(
      {{"STR_TO_MAP"},
       "'STR_TO_MAP(<CHARACTER>[, <CHARACTER> entry separator, <CHARACTER> key separator])'",
       "A map from text; the separators, ',' and '=' when not given, are regular expressions.",
       {"STR_TO_MAP('a=1,b=2') -> {a=1, b=2}",
        "STR_TO_MAP('k:v=w;x', ';', ':') -> {x=NULL, k=v=w}"}},
      any_of({nullable({{Family::kText}}, DataType::map(DataType::string(), DataType::string())),
              nullable({{Family::kText, Family::kText, Family::kText}},
                       DataType::map(DataType::string(), DataType::string()))}));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const auto entry_separators = std::make_shared<RegexCache>();
    const auto key_separators = std::make_shared<RegexCache>();
    return building_kernel(
        signature.result,
        true,
        [entry_separators, key_separators](
            std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          const bool given = arguments.size() == 3;
          append_text_map(entry_separators->get(given ? arguments[1]->string_at(row) : ","),
                          key_separators->get(given ? arguments[2]->string_at(row) : "="),
                          arguments[0]->string_at(row),
                          builder);
        });
  };
  return function;
}

/// SPLIT keeps empty parts; an empty separator gives single characters.
ScalarFunction split_function() {
  ScalarFunction function =
      documented({{"SPLIT"},
                  "'SPLIT(<CHARACTER>, <CHARACTER> separator)'",
                  "The parts of a text between separators.",
                  {"SPLIT('a,b,,c', ',') -> [a, b, , c]"}},
                 strict({{Family::kText, Family::kText}}, DataType::array(DataType::string())));
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        true,
        [](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          std::string_view text = arguments[0]->string_at(row);
          const std::string_view separator = arguments[1]->string_at(row);
          ColumnBuilder& parts = builder.child(0);
          if (separator.empty()) {
            while (!text.empty()) {
              size_t width = 1;
              while (width < text.size() && (static_cast<uint8_t>(text[width]) & 0xC0U) == 0x80U) {
                ++width;
              }
              parts.append_string(text.substr(0, width));
              text.remove_prefix(width);
            }
          } else {
            for (;;) {
              const size_t end = text.find(separator);
              parts.append_string(text.substr(0, end));
              if (end == std::string_view::npos) {
                break;
              }
              text.remove_prefix(end + separator.size());
            }
          }
          builder.append_list();
        });
  };
  return function;
}

}  // namespace

void add_map(FunctionRegistry& registry) {
  registry.add(part_of_map("MAP_KEYS", 0, "keys", "MAP_KEYS(MAP['a', 1]) -> [a]"));
  registry.add(part_of_map("MAP_VALUES", 1, "values", "MAP_VALUES(MAP['a', 1]) -> [1]"));
  registry.add(map_entries_function());
  registry.add(map_from_arrays_function());
  registry.add(map_union_function());
  registry.add(str_to_map_function());
  registry.add(split_function());
}

}  // namespace thalweg::functions
