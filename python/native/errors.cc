#include "errors.h"

namespace nb = nanobind;

namespace thalweg::binding {

void set_python_error(const Error& error, std::string_view sql) {
  const ErrorCodeInfo& info = describe(error.code());
  const nb::object exception =
      nb::module_::import_("thalweg.util.exceptions")
          .attr("exception_from_native")(nb::str(info.flink_class.data(), info.flink_class.size()),
                                         static_cast<int>(error.code()),
                                         nb::str(info.name.data(), info.name.size()),
                                         nb::str(error.message().data(), error.message().size()),
                                         nb::str(render(error, sql).c_str()));
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
}

void register_exceptions(nb::module_& module) {
  static_cast<void>(module);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void* payload) {
    static_cast<void>(payload);
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      set_python_error(error);
    }
  });
}

}  // namespace thalweg::binding
