#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "errors.h"
#include "handles.h"
#include "thalweg/engine/job_report.h"
#include "waiting.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

std::string status_text(const JobHandle& self) {
  // Flink spells it with one L.
  return self.job->status() == runtime::JobStatus::kCancelled
             ? std::string("CANCELED")
             : std::string(runtime::to_string(self.job->status()));
}

std::string summary(JobHandle& self) {
  return fmt::format("Job {} {} after {:.1f} s: {}",
                     self.job->id().to_string(),
                     status_text(self),
                     static_cast<double>(self.runtime_ms()) / 1000.0,
                     engine::summary_of(*self.job));
}

std::string stop_with_savepoint(const JobHandle& self,
                                const std::optional<std::string>& directory,
                                bool drain) {
  const nb::gil_scoped_release release;
  return self.job->stop_with_savepoint(directory.value_or(""), drain);
}

std::string savepoint(const JobHandle& self, const std::optional<std::string>& directory) {
  const nb::gil_scoped_release release;
  return self.job->savepoint(directory.value_or(""));
}

bool wait(JobHandle& self, int64_t timeout_ms) {
  const bool done = wait_until(timeout_ms, [&](int64_t ms) {
    return self.ending.wait_for(*self.job, self.process.get(), ms);
  });
  if (!done) {
    return false;
  }
  if (const auto failure = fault_of(*self.job)) {
    set_python_error(*failure);
    throw nb::python_error();
  }
  return true;
}

/// [(operator, subtask, {metric: value})]
nb::list metrics(const JobHandle& self) {
  nb::list result;
  for (const runtime::OperatorMetrics& entry : self.job->metrics()) {
    nb::dict values;
    for (const auto& [name, value] : entry.values) {
      values[name.c_str()] = value;
    }
    result.append(nb::make_tuple(entry.name, entry.subtask, values));
  }
  return result;
}

}  // namespace

void bind_job(nb::module_& module) {
  nb::class_<JobHandle> job(module, "Job");
  job.def_prop_ro("id", [](const JobHandle& self) { return self.job->id().to_string(); })
      .def_prop_ro("name", [](const JobHandle& self) { return self.job->name(); })
      .def("status", &status_text)
      .def("runtime_ms", &JobHandle::runtime_ms)
      .def("summary", &summary)
      .def("why_silent", [](const JobHandle& self) { return engine::why_silent(*self.job); })
      .def("rows_out", [](const JobHandle& self) { return engine::totals_of(*self.job).rows_out; })
      .def("cancel",
           [](const JobHandle& self) {
             const nb::gil_scoped_release release;
             self.job->cancel();
           })
      .def("stop_with_savepoint",
           &stop_with_savepoint,
           nb::arg("directory").none() = nb::none(),
           nb::arg("drain") = false)
      .def("savepoint", &savepoint, nb::arg("directory").none() = nb::none())
      .def("settle",
           [](const JobHandle& self) {
             const nb::gil_scoped_release release;
             self.job->settle();
           })
      .def("wait", &wait)
      .def("metrics", &metrics);
  bind_inspection(job);
}

}  // namespace thalweg::binding
