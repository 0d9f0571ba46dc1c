#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "handles.h"
#include "python_function.h"

namespace nb = nanobind;

namespace thalweg::binding {

void bind_function(nb::module_& module) {
  nb::class_<FunctionHandle>(module, "Function")
      .def(
          "__init__",
          [](FunctionHandle* self,
             std::string name,
             std::string kind,
             nb::object instance,
             std::string result_type,
             std::optional<std::vector<std::string>> argument_types,
             bool deterministic,
             bool vectorized,
             std::pair<int32_t, int32_t> arity,
             std::optional<std::vector<std::string>> row_names) {
            new (self) FunctionHandle{std::move(name),
                                      std::move(kind),
                                      std::make_shared<SharedObject>(std::move(instance)),
                                      std::move(result_type),
                                      std::move(argument_types),
                                      deterministic,
                                      vectorized,
                                      arity.first,
                                      arity.second,
                                      std::move(row_names)};
          },
          nb::arg("name"),
          nb::arg("kind"),
          nb::arg("instance"),
          nb::arg("result_type"),
          nb::arg("argument_types").none(),
          nb::arg("deterministic"),
          nb::arg("vectorized"),
          nb::arg("arity"),
          nb::arg("row_names").none() = nb::none())
      .def_ro("name", &FunctionHandle::name)
      .def_ro("kind", &FunctionHandle::kind)
      .def_ro("result_type", &FunctionHandle::result_type);
}

}  // namespace thalweg::binding
