#pragma once

#include <nanobind/nanobind.h>

#include "handles.h"

namespace thalweg::binding {

/// What the catalogs of a session hold, and catalogs written in Python.
void bind_session_catalogs(nanobind::class_<SessionHandle>& session);

/// Tables of whole columns: pandas frames.
void bind_session_frames(nanobind::class_<SessionHandle>& session);

/// Tables fed by hand and the hand-driven clock, for tests; the sink of PyFlink's own tests.
void bind_session_bench(nanobind::module_& module,
                        nanobind::class_<SessionHandle>& session,
                        const std::shared_ptr<LazyProcess>& process);

}  // namespace thalweg::binding
