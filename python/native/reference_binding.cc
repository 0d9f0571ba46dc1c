// What the reference pages are made of: connectors, formats and functions as they describe
// themselves.
#include "reference_binding.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "reference_types.h"
#include "thalweg/functions/flink_names.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

const char* type_name(stream::OptionType type) {
  using stream::OptionType;
  switch (type) {
    case OptionType::kString:
      return "String";
    case OptionType::kBoolean:
      return "Boolean";
    case OptionType::kInt:
      return "Integer";
    case OptionType::kLong:
      return "Long";
    case OptionType::kDouble:
      return "Double";
    case OptionType::kDuration:
      return "Duration";
    case OptionType::kMemory:
      return "MemorySize";
    case OptionType::kEnum:
      return "Enum";
    case OptionType::kList:
      return "List";
    case OptionType::kMap:
      return "Map";
  }
  return "String";
}

nb::list options_of(const std::vector<stream::OptionSpec>& specs) {
  nb::list result;
  for (const stream::OptionSpec& spec : specs) {
    nb::object otherwise = nb::none();
    if (spec.default_value) {
      otherwise = nb::cast(*spec.default_value);
    }
    result.append(nb::make_tuple(spec.key,
                                 type_name(spec.type),
                                 otherwise,
                                 spec.required,
                                 spec.description,
                                 nb::cast(spec.values)));
  }
  return result;
}

nb::list connectors_of(const connectors::ConnectorRegistry& registry) {
  nb::list result;
  for (const std::string& name : registry.names()) {
    const stream::ConnectorFactory& factory = registry.connector(name);
    nb::list metadata;
    for (const stream::MetadataKey& key : factory.metadata_keys({})) {
      metadata.append(nb::make_tuple(key.key, key.type.to_string(), key.writable));
    }
    result.append(nb::make_tuple(name, options_of(factory.option_specs()), metadata));
  }
  return result;
}

template <typename Function>
void append_function(nb::list& result, const char* kind, const Function& function) {
  result.append(nb::make_tuple(nb::cast(function.names),
                               kind,
                               function.forms,
                               function.description,
                               nb::cast(function.examples)));
}

nb::list formats_of(const formats::FormatRegistry& registry) {
  nb::list result;
  for (const std::string& name : registry.names()) {
    result.append(nb::make_tuple(name, options_of(registry.format(name).option_specs())));
  }
  return result;
}

nb::list functions_of(const expression::FunctionRegistry& registry) {
  nb::list result;
  for (const std::string& name : registry.names()) {
    if (const auto scalar = registry.find_scalar(name)) {
      append_function(result, "scalar", *scalar);
    }
    if (const auto aggregate = registry.find_aggregate(name)) {
      append_function(result, "aggregate", *aggregate);
    }
  }
  return result;
}

nb::list flink_functions() {
  using functions::FlinkStanding;
  const auto word = [](FlinkStanding standing) {
    switch (standing) {
      case FlinkStanding::kFunction:
        return "function";
      case FlinkStanding::kSyntax:
        return "syntax";
      case FlinkStanding::kTableApi:
        return "table api";
      case FlinkStanding::kInternal:
        return "internal";
      case FlinkStanding::kMissing:
        return "missing";
    }
    return "";
  };
  nb::list result;
  for (const functions::FlinkName& known : functions::flink_names()) {
    result.append(
        nb::make_tuple(std::string(known.name), word(known.standing), std::string(known.here)));
  }
  return result;
}

nb::dict reference(LazyProcess& process) {
  const std::shared_ptr<engine::Process> parts = process.get();
  nb::dict result;
  result["connectors"] = connectors_of(parts->connectors);
  result["formats"] = formats_of(parts->formats);
  result["functions"] = functions_of(parts->functions);
  result["flink_functions"] = flink_functions();
  result["types"] = reference_types();
  result["casts"] = reference_casts();
  return result;
}

}  // namespace

void bind_reference(nb::module_& module, const std::shared_ptr<LazyProcess>& process) {
  module.def("reference", [process] { return reference(*process); });
}

}  // namespace thalweg::binding
