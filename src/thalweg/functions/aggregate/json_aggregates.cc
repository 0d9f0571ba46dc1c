// JSON_ARRAYAGG and JSON_OBJECTAGG. As in Flink, each form of the ON NULL clause is a function with
// a name of its own, too.
#include <map>

#include "thalweg/functions/aggregate/object_kernel.h"
#include "thalweg/functions/aggregate/ordered_counts.h"
#include "thalweg/functions/aggregate/value_sequence.h"
#include "thalweg/functions/json/json_value.h"
#include "thalweg/functions/json/json_writer.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::FunctionRegistry;

namespace {

using ColumnSpan = std::span<const ColumnPtr>;

/// `is_json`: the value is JSON text already, from a function that makes it.
std::string json_of(const Column& column, int32_t row, bool is_json) {
  if (is_json && !column.is_null(row)) {
    return std::string(column.string_at(row));
  }
  std::string text;
  append_json_of(text, column, row);
  return text;
}

struct ArrayPolicy {
  using Object = ValueSequence;
  bool keeps_nulls;
  bool takes_json;

  bool skips(ColumnSpan arguments, int32_t row) const {
    return !keeps_nulls && arguments[0]->is_null(row);
  }

  int64_t add(Object& object, ColumnSpan arguments, int32_t row) const {
    return object.add(json_of(*arguments[0], row, takes_json));
  }

  int64_t remove(Object& object, ColumnSpan arguments, int32_t row) const {
    return object.remove(json_of(*arguments[0], row, takes_json));
  }

  int64_t merge(Object& into, const Object& from) const {
    int64_t bytes = 0;
    for (const std::string& value : from.values()) {
      bytes += into.add(value);
    }
    return bytes;
  }

  void append(const Object* object, ColumnBuilder& results) const {
    std::string text = "[";
    if (object != nullptr) {
      for (const std::string& value : object->values()) {
        text += text.size() == 1 ? "" : ",";
        text += value;
      }
    }
    results.append_string(text + "]");
  }
};

/// Keys and the JSON of their values. Owned by a state record.
class JsonFields final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  std::map<std::string, std::string> fields;

  static int64_t size_of(const std::string& key, const std::string& value) {
    return static_cast<int64_t>(key.size() + value.size() + 100);
  }

  std::unique_ptr<stream::StateObject> clone() const override {
    return std::make_unique<JsonFields>(*this);
  }

  void serialize(std::string& bytes) const override {
    write_item(bytes, static_cast<uint64_t>(fields.size()));
    for (const auto& [key, value] : fields) {
      write_item(bytes, key);
      write_item(bytes, value);
    }
  }

  static std::unique_ptr<stream::StateObject> restore(std::string_view bytes) {
    auto restored = std::make_unique<JsonFields>();
    const auto size = read_item<uint64_t>(bytes);
    for (uint64_t i = 0; i < size; ++i) {
      std::string key = read_item<std::string>(bytes);
      restored->fields[std::move(key)] = read_item<std::string>(bytes);
    }
    return restored;
  }

  int64_t byte_size() const override {
    int64_t bytes = 0;
    for (const auto& [key, value] : fields) {
      bytes += size_of(key, value);
    }
    return bytes;
  }

  Value inspect() const override { return Value(static_cast<int64_t>(fields.size())); }
};

const std::shared_ptr<const stream::StateObjectKind>& JsonFields::kind() {
  static const auto made = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      "json-fields", [] { return std::make_unique<JsonFields>(); }, &restore});
  return made;
}

struct ObjectPolicy {
  using Object = JsonFields;
  bool keeps_nulls;
  bool takes_json;

  bool skips(ColumnSpan arguments, int32_t row) const {
    require_key(arguments, row);
    return !keeps_nulls && arguments[1]->is_null(row);
  }

  static void require_key(ColumnSpan arguments, int32_t row) {
    if (arguments[0]->is_null(row)) {
      throw Error(ErrorCode::kInvalidArgument, "A key of JSON_OBJECTAGG is NULL")
          .hint("Leave such rows out: FILTER (WHERE key IS NOT NULL).");
    }
  }

  static int64_t put(Object& object, const std::string& key, const std::string& value) {
    if (!object.fields.emplace(key, value).second) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("Key '{}' is already present. Duplicate keys are not allowed in "
                              "JSON_OBJECTAGG. Please ensure that keys are unique.",
                              key));
    }
    return JsonFields::size_of(key, value);
  }

  static std::string key_of(ColumnSpan arguments, int32_t row) {
    return std::string(arguments[0]->string_at(row));
  }

  int64_t add(Object& object, ColumnSpan arguments, int32_t row) const {
    return put(object, key_of(arguments, row), json_of(*arguments[1], row, takes_json));
  }

  int64_t remove(Object& object, ColumnSpan arguments, int32_t row) const {
    const auto found = object.fields.find(key_of(arguments, row));
    if (found == object.fields.end()) {
      return 0;
    }
    const int64_t bytes = JsonFields::size_of(found->first, found->second);
    object.fields.erase(found);
    return -bytes;
  }

  int64_t merge(Object& into, const Object& from) const {
    int64_t bytes = 0;
    for (const auto& [key, value] : from.fields) {
      bytes += put(into, key, value);
    }
    return bytes;
  }

  void append(const Object* object, ColumnBuilder& results) const {
    std::string text = "{";
    if (object != nullptr) {
      for (const auto& [key, value] : object->fields) {
        text += text.size() == 1 ? "" : ",";
        append_json_string(text, key);
        text += ":" + value;
      }
    }
    results.append_string(text + "}");
  }
};

Bind of_json(Parameters parameters) {
  return [parameters = std::move(parameters)](std::span<const BoundArgument> arguments) -> Bound {
    auto types = match(parameters, arguments);
    if (!types) {
      return mismatch(parameters, arguments.size());
    }
    if (!has_json_form(types->back())) {
      return NoMatch{};
    }
    return Signature{std::move(*types), DataType::string().not_null()};
  };
}

template <typename Policy>
AggregateFunction json_aggregate(std::vector<std::string> names,
                                 std::string forms,
                                 Parameters parameters,
                                 bool keeps_nulls) {
  AggregateFunction function;
  function.names = std::move(names);
  function.forms = std::move(forms);
  function.description = "All values as one JSON text.";
  function.bind = of_json(std::move(parameters));
  function.make_kernel = [keeps_nulls](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(Policy{keeps_nulls, false});
  };
  return function;
}

/// Adds the function, and under a name of its own the one for values that are JSON already.
template <typename Policy>
void add_json_aggregate(FunctionRegistry& registry,
                        std::vector<std::string> names,
                        std::string forms,
                        Parameters parameters,
                        bool keeps_nulls) {
  AggregateFunction function =
      json_aggregate<Policy>(std::move(names), std::move(forms), parameters, keeps_nulls);
  AggregateFunction nested = function;
  nested.names = {"$" + function.name() + "_OF_JSON"};
  nested.make_kernel = [keeps_nulls](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(Policy{keeps_nulls, true});
  };
  registry.add(std::move(function));
  registry.add(std::move(nested));
}

}  // namespace

void add_json_aggregates(FunctionRegistry& registry) {
  const std::string array_forms = "'JSON_ARRAYAGG(<ANY> [{ NULL | ABSENT } ON NULL])'";
  const std::string object_forms =
      "'JSON_OBJECTAGG([KEY] <CHARACTER> VALUE <ANY> [{ NULL | ABSENT } ON NULL])'";
  add_json_aggregate<ArrayPolicy>(registry,
                                  {"JSON_ARRAYAGG", "JSON_ARRAYAGG_ABSENT_ON_NULL"},
                                  array_forms,
                                  {{Family::kAny}},
                                  false);
  add_json_aggregate<ArrayPolicy>(registry,
                                  {"JSON_ARRAYAGG_NULL_ON_NULL"},
                                  "'JSON_ARRAYAGG_NULL_ON_NULL(<ANY>)'",
                                  {{Family::kAny}},
                                  true);
  add_json_aggregate<ObjectPolicy>(registry,
                                   {"JSON_OBJECTAGG", "JSON_OBJECTAGG_NULL_ON_NULL"},
                                   object_forms,
                                   {{Family::kText, Family::kAny}},
                                   true);
  add_json_aggregate<ObjectPolicy>(registry,
                                   {"JSON_OBJECTAGG_ABSENT_ON_NULL"},
                                   "'JSON_OBJECTAGG_ABSENT_ON_NULL(<CHARACTER>, <ANY>)'",
                                   {{Family::kText, Family::kAny}},
                                   false);
}

}  // namespace thalweg::functions
