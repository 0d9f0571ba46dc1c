#include <nanobind/stl/shared_ptr.h>

#include "arrow_import.h"
#include "engine_values.h"
#include "errors.h"
#include "session_parts.h"
#include "thalweg/connectors/values/values_source.h"
#include "value_writer.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

ColumnPtr column_of_values(const nb::list& values, const Field& field) {
  ColumnBuilder builder(field.type);
  for (const nb::handle value : values) {
    builder.append_value(engine_value(value, field.type, field.name));
  }
  return builder.finish();
}

ColumnPtr column_of(nb::handle values, const Field& field) {
  if (nb::isinstance<nb::list>(values)) {
    return column_of_values(nb::cast<nb::list>(values), field);
  }
  try {
    return column_of_arrow(values, field.type);
  } catch (const ValueRefused& refused) {
    throw Error(ErrorCode::kPythonValue, fmt::format("{}: {}", field.name, refused.reason));
  }
}

/// A bounded table of columns in memory: for each an Arrow array, or a list of values as
/// `from_rows` takes them.
RelationHandle from_columns(const SessionPtr& self,
                            const nb::sequence& columns,
                            const nb::sequence& values,
                            int32_t rows) {
  Schema schema = schema_from(columns);
  std::vector<ColumnPtr> made;
  for (const nb::handle column : values) {
    made.push_back(column_of(column, schema.at(made.size())));
  }
  const Batch all(rows, std::move(made));
  std::vector<Batch> batches;
  for (int32_t begin = 0; begin < rows; begin += kTargetBatchRows) {
    batches.push_back(all.slice(begin, std::min(rows, begin + kTargetBatchRows)));
  }
  const planner::CustomTraits traits{.name = "Values"};
  return {self,
          self->session->stream_source({traits, connectors::make_values_source(std::move(batches))},
                                       std::move(schema))};
}

}  // namespace

void bind_session_frames(nb::class_<SessionHandle>& session) {
  session.def("from_columns", &from_columns);
}

}  // namespace thalweg::binding
