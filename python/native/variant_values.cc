#include "variant_values.h"

#include <nanobind/stl/string.h>

#include "thalweg/functions/json/variant_parser.h"
#include "thalweg/types/variant.h"

namespace thalweg::binding {

nb::object python_variant(std::string_view variant) {
  std::string text;
  variant::View(variant).append_json(text);
  const nb::object decoded =
      nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  return nb::module_::import_("json").attr("loads")(decoded);
}

std::optional<std::string> engine_variant(nb::handle value) {
  std::string text;
  try {
    text = nb::cast<std::string>(
        nb::module_::import_("json").attr("dumps")(value, nb::arg("allow_nan") = false));
  } catch (nb::python_error&) {
    return std::nullopt;
  }
  functions::VariantParser parser;
  std::string variant;
  if (parser.parse(text, true, variant) != functions::VariantParser::Outcome::kDone) {
    return std::nullopt;
  }
  return variant;
}

}  // namespace thalweg::binding
