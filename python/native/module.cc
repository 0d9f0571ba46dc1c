#include <nanobind/nanobind.h>

#include "errors.h"
#include "handles.h"
#include "reference_binding.h"
#include "row_object.h"

namespace nb = nanobind;

NB_MODULE(_native, module) {
  namespace binding = thalweg::binding;
  // Tables and sessions may live until the interpreter ends; what nanobind then reports as leaks is
  // none.
  nb::set_leak_warnings(false);
  const auto process = std::make_shared<binding::LazyProcess>();
  binding::register_exceptions(module);
  binding::bind_rows(module);
  binding::bind_script(module);
  binding::bind_function(module);
  binding::bind_job(module);
  binding::bind_result(module);
  binding::bind_relation(module);
  binding::bind_session(module, process);
  binding::bind_kafka_tools(module);
  binding::bind_streams(module);
  binding::bind_reference(module, process);
  const nb::object close = nb::cpp_function([process] { process->close(); });
  nb::module_::import_("atexit").attr("register")(close);
}
