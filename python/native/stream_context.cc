#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "python_operator.h"
#include "thalweg/common/error.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

TimerDomain domain_named(std::string_view name) {
  return name == "processing" ? TimerDomain::kProcessing : TimerDomain::kEvent;
}

}  // namespace

PythonOperator& StreamContext::get() const {
  if (operator_ == nullptr) {
    throw Error(ErrorCode::kPythonFunctionFailed,
                "The context of a function was used after the function had been closed");
  }
  return *operator_;
}

void bind_stream_context(nb::module_& module) {
  using Self = const StreamContext&;
  nb::class_<StreamContext>(module, "StreamContext")
      .def(
          "emit",
          [](Self self, nb::handle records, nb::handle rows, nb::handle extra) {
            self.get().emit(records, rows, extra);
          },
          nb::arg("records"),
          nb::arg("rows").none() = nb::none(),
          nb::arg("extra").none() = nb::none())
      .def(
          "emit_at",
          [](Self self, nb::handle records, nb::handle timestamps, nb::handle extra) {
            self.get().emit_at(records, timestamps, extra);
          },
          nb::arg("records"),
          nb::arg("timestamps").none(),
          nb::arg("extra").none() = nb::none())
      .def("timestamps", [](Self self) { return self.get().timestamps(); })
      .def("kinds", [](Self self) { return self.get().kinds(); })
      .def("split", [](Self self) { return self.get().split(); })
      .def("add_timer",
           [](Self self, const std::string& domain, size_t row, int64_t time) {
             return self.get().change_timer(domain_named(domain), row, time, true);
           })
      .def("add_event_timer",
           [](Self self, size_t row, int64_t time) {
             return self.get().change_timer(TimerDomain::kEvent, row, time, true);
           })
      .def("add_processing_timer",
           [](Self self, size_t row, int64_t time) {
             return self.get().change_timer(TimerDomain::kProcessing, row, time, true);
           })
      .def("delete_timer",
           [](Self self, const std::string& domain, size_t row, int64_t time) {
             return self.get().change_timer(domain_named(domain), row, time, false);
           })
      .def("operator_state",
           [](Self self, const std::string& name) { return self.get().operator_state(name); })
      .def("emit_watermark",
           [](Self self, int64_t watermark) { self.get().emit_watermark(watermark); })
      .def("emit_idle", [](Self self, bool idle) { self.get().emit_idle(idle); })
      .def("wake_at", [](Self self, int64_t ms) { self.get().wake_at(ms); })
      .def("now", [](Self self) { return self.get().context().now().ms; })
      .def_prop_ro("current_watermark", [](Self self) { return self.get().current_watermark(); })
      .def_prop_ro("subtask", [](Self self) { return self.get().context().subtask(); })
      .def_prop_ro("parallelism", [](Self self) { return self.get().context().parallelism(); })
      .def_prop_ro("config", [](Self self) { return self.get().spec().config; })
      .def_prop_ro("metric_group", [](Self self) { return self.get().metric_group(); })
      .def_prop_ro("task_name", [](Self self) { return self.get().spec().name; })
      .def_prop_ro("name", [](Self self) { return self.get().spec().name; })
      .def_prop_ro("is_batch", [](Self self) { return self.get().spec().is_batch; })
      .def("counter",
           [](Self self, const std::string& name, int64_t by) {
             self.get().context().counter(name).add(by);
           })
      .def("gauge", [](Self self, const std::string& name, int64_t value) {
        self.get().context().gauge(name).set(value);
      });
}

}  // namespace thalweg::binding
