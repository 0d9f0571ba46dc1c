#include <algorithm>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "handles.h"
#include "python_operator.h"
#include "record_check.h"
#include "stream_sources.h"
#include "thalweg/common/line_output.h"
#include "thalweg/connectors/in_turn/in_turn_source.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// (name, uid, parallelism or None, may chain)
planner::CustomTraits traits_from(nb::handle traits) {
  planner::CustomTraits result{.name = nb::cast<std::string>(traits[0]),
                               .uid = nb::cast<std::string>(traits[1])};
  if (!nb::object(traits[2]).is_none()) {
    result.parallelism = nb::cast<int32_t>(traits[2]);
  }
  result.may_chain = nb::cast<bool>(traits[3]);
  return result;
}

/// What a relation looks like to a Python operator: a stream is known by its first columns.
StreamShape shape_of(const Schema& schema) {
  StreamShape shape;
  const bool is_stream = schema.size() >= 2 && schema[0].type.kind() == TypeKind::kOpaque &&
                         !schema[0].type.is_nullable() && schema[0].name == "record";
  if (!is_stream) {
    shape.table = schema;
    for (size_t i = 0; i < schema.size(); ++i) {
      if (schema[i].type.time_attribute() == TimeAttribute::kEventTime) {
        shape.row_time = static_cast<int32_t>(i);
      }
    }
    return shape;
  }
  if (schema.size() > kExtraColumn) {
    const std::string& extra = schema[kExtraColumn].name;
    shape.extra = extra == "key"   ? StreamExtra::kKey
                  : extra == "tag" ? StreamExtra::kTag
                                   : StreamExtra::kPartition;
  }
  return shape;
}

/// "stream", "tag", "key", "partition", or (columns, name of the row-time column or None, name of
/// the processing-time column or None) for a table.
StreamShape output_from(nb::handle output) {
  StreamShape shape;
  if (nb::isinstance<nb::str>(output)) {
    const auto name = nb::cast<std::string>(output);
    shape.extra = name == "key"         ? StreamExtra::kKey
                  : name == "tag"       ? StreamExtra::kTag
                  : name == "partition" ? StreamExtra::kPartition
                                        : StreamExtra::kNone;
    return shape;
  }
  shape.table = schema_from(nb::cast<nb::sequence>(nb::object(output[0])));
  for (size_t i = 0; i < shape.table->size(); ++i) {
    Field& field = (*shape.table)[i];
    const nb::str name(field.name.c_str());
    if (name.equal(nb::object(output[1]))) {
      field.type = field.type.with_time_attribute(TimeAttribute::kEventTime);
      shape.row_time = static_cast<int32_t>(i);
    }
  }
  return shape;
}

planner::CustomDistribution distribution_named(std::string_view name) {
  using enum planner::CustomDistribution;
  return name == "forward"     ? kForward
         : name == "hash"      ? kHash
         : name == "rebalance" ? kRoundRobin
         : name == "rescale"   ? kRescale
         : name == "shuffle"   ? kShuffle
         : name == "broadcast" ? kBroadcast
         : name == "global"    ? kSingleton
         : name == "custom"    ? kByNumber
                               : kAuto;
}

/// (relation, distribution, side output or -1, input number)
planner::CustomInput input_from(nb::handle given) {
  planner::CustomInput input{.input = nb::cast<int32_t>(given[3]),
                             .distribution = distribution_named(nb::cast<std::string>(given[1]))};
  if (input.distribution == planner::CustomDistribution::kHash ||
      input.distribution == planner::CustomDistribution::kByNumber) {
    input.columns = {{static_cast<int32_t>(kExtraColumn)}};
  }
  return input;
}

stream::ChangelogMode mode_named(std::string_view name) {
  return name == "all"      ? stream::ChangelogMode::all()
         : name == "upsert" ? stream::ChangelogMode::upsert()
                            : stream::ChangelogMode::insert_only();
}

RelationHandle stream_collection(const SessionPtr& session,
                                 nb::handle traits,
                                 const nb::list& records) {
  return {session,
          session->session->stream_source({traits_from(traits), make_collection_source(records)},
                                          StreamShape().schema())};
}

RelationHandle stream_sequence(
    const SessionPtr& session, nb::handle traits, int64_t first, int64_t last, int32_t splits) {
  return {session,
          session->session->stream_source(
              {traits_from(traits), make_sequence_source(first, last, splits)},
              StreamShape().schema())};
}

/// The table of (columns, metadata keys with types, options, time column or ""), and its rows'
/// columns: the metadata's behind the physical ones.
std::pair<stream::TableContext, Schema> table_from(const std::string& name,
                                                   nb::handle columns,
                                                   nb::handle metadata,
                                                   std::map<std::string, std::string> options,
                                                   const std::string& time_column) {
  stream::TableContext table;
  table.table_name = name;
  table.columns = schema_from(nb::cast<nb::sequence>(columns));
  table.options = std::move(options);
  Schema schema = table.columns;
  for (const Field& field : schema_from(nb::cast<nb::sequence>(metadata))) {
    table.metadata_keys.push_back(field.name);
    schema.push_back(field);
  }
  for (Field& field : schema) {
    if (field.name == time_column) {
      field.type = field.type.with_time_attribute(TimeAttribute::kEventTime);
    }
  }
  return {std::move(table), std::move(schema)};
}

/// A connector's rows. `metadata`: keys whose columns follow the physical ones, [(key, type)].
/// `time_column`: the one that holds the event time, or "".
RelationHandle stream_connector(const SessionPtr& session,
                                nb::handle traits,
                                const nb::sequence& columns,
                                const nb::sequence& metadata,
                                std::map<std::string, std::string> options,
                                const std::string& time_column) {
  planner::CustomTraits given = traits_from(traits);
  auto [table, schema] = table_from(given.name, columns, metadata, std::move(options), time_column);
  auto source = session->session->connector_source(std::move(table));
  return {session, session->session->stream_source({std::move(given), std::move(source)}, schema)};
}

/// The rows of several connectors, one after the other: `parts` are the arguments of
/// `stream_connector`. Metadata that a part does not have is NULL.
RelationHandle stream_connectors_in_turn(const SessionPtr& session,
                                         nb::handle traits,
                                         const nb::sequence& parts) {
  planner::CustomTraits given = traits_from(traits);
  Schema schema;
  std::vector<Schema> schemas;
  std::vector<connectors::SourcePart> sources;
  for (const nb::handle part : parts) {
    auto [table, own] = table_from(given.name,
                                   part[0],
                                   part[1],
                                   nb::cast<std::map<std::string, std::string>>(part[2]),
                                   nb::cast<std::string>(part[3]));
    const size_t physical = table.columns.size();
    sources.push_back({session->session->connector_source(std::move(table)), {}});
    for (size_t i = 0; i < own.size(); ++i) {
      // Physical columns are those of the first part, by their place.
      own[i].name = i < physical && !schemas.empty() ? schema.at(i).name : own[i].name;
      const bool is_known = std::ranges::find(schema, own[i].name, &Field::name) != schema.end();
      if (!is_known) {
        schema.push_back({own[i].name, i < physical ? own[i].type : own[i].type.as_nullable()});
      }
    }
    schemas.push_back(std::move(own));
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const Field& field : schema) {
      const auto found = std::ranges::find(schemas[i], field.name, &Field::name);
      sources[i].places.push_back(
          found == schemas[i].end() ? -1 : static_cast<int32_t>(found - schemas[i].begin()));
    }
  }
  auto source = connectors::make_in_turn_source(schema, std::move(sources));
  return {session, session->session->stream_source({std::move(given), std::move(source)}, schema)};
}

/// Several sequences, one after the other: [(first, last)].
RelationHandle stream_sequences_in_turn(const SessionPtr& session,
                                        nb::handle traits,
                                        const std::vector<std::pair<int64_t, int64_t>>& parts,
                                        int32_t splits) {
  const Schema schema = StreamShape().schema();
  std::vector<connectors::SourcePart> sources;
  for (const auto& [first, last] : parts) {
    sources.push_back({make_sequence_source(first, last, splits), {0, 1}});
  }
  return {session,
          session->session->stream_source(
              {traits_from(traits), connectors::make_in_turn_source(schema, std::move(sources))},
              schema)};
}

RelationHandle stream_operator(const SessionPtr& session,
                               nb::handle traits,
                               nb::object factory,
                               const nb::sequence& inputs,
                               nb::handle output,
                               const std::string& emitted,
                               bool takes_changes,
                               const std::vector<int32_t>& primary_key) {
  planner::CustomOperatorSpec spec;
  spec.traits = traits_from(traits);
  spec.emitted = mode_named(emitted);
  spec.takes_changes = takes_changes;
  for (const int32_t column : primary_key) {
    spec.primary_key.push_back({column});
  }
  PythonOperatorSpec python{.name = spec.traits.name,
                            .factory = std::make_shared<SharedObject>(std::move(factory))};
  std::vector<planner::Relation> relations;
  for (const nb::handle input : inputs) {
    const auto& relation = nb::cast<const RelationHandle&>(input[0]).relation;
    spec.inputs.push_back(input_from(input));
    const auto number = static_cast<size_t>(spec.inputs.back().input);
    if (python.inputs.size() <= number) {
      python.inputs.resize(number + 1);
    }
    python.inputs[number] = {shape_of(relation.schema()), nb::cast<int32_t>(input[2])};
    relations.push_back(relation);
  }
  python.output = output_from(output);
  python.is_batch = session->session->config().is_batch();
  python.config = session->session->config().values();
  Schema schema = python.output.schema();
  spec.factory = make_python_operator(std::move(python));
  return {session,
          session->session->stream_operator(std::move(spec), relations, std::move(schema))};
}

/// `metadata`: the keys of the last columns of `input`.
RelationHandle stream_connector_sink(const SessionPtr& session,
                                     nb::handle traits,
                                     const RelationHandle& input,
                                     const std::vector<std::string>& metadata,
                                     const std::vector<std::string>& partition_keys,
                                     std::map<std::string, std::string> options) {
  planner::CustomSinkSpec spec{.traits = traits_from(traits)};
  stream::TableContext table;
  table.table_name = spec.traits.name;
  table.columns = input.relation.schema();
  table.columns.resize(table.columns.size() - metadata.size());
  table.metadata_keys = metadata;
  table.partition_keys = partition_keys;
  table.options = std::move(options);
  spec.sink = session->session->connector_sink(std::move(table));
  return {session, session->session->stream_sink(std::move(spec), input.relation)};
}

/// INSERTs, as Session.execute_inserts takes them, as ends of streams.
nb::list stream_inserts(const SessionPtr& session, const nb::sequence& inserts) {
  nb::list ends;
  for (planner::Relation& end : session->session->stream_inserts(inserts_from(inserts))) {
    ends.append(RelationHandle{session, std::move(end)});
  }
  return ends;
}

ResultHandle execute_streams(const SessionPtr& session,
                             const nb::sequence& ends,
                             nb::handle collected,
                             const std::string& name) {
  std::vector<planner::Relation> relations;
  for (const nb::handle end : ends) {
    relations.push_back(nb::cast<const RelationHandle&>(end).relation);
  }
  std::optional<planner::Relation> rows;
  if (!collected.is_none()) {
    rows = nb::cast<const RelationHandle&>(collected).relation;
  }
  session->function_settings->refresh();
  const nb::gil_scoped_release release;
  return {session, session->session->execute_streams(relations, rows ? &*rows : nullptr, name), ""};
}

}  // namespace

void bind_streams(nb::module_& module) {
  bind_stream_context(module);
  module.def("stream_collection", &stream_collection);
  module.def("stream_sequence", &stream_sequence);
  module.def("stream_connector", &stream_connector);
  module.def("stream_connectors_in_turn", &stream_connectors_in_turn);
  module.def("stream_sequences_in_turn", &stream_sequences_in_turn);
  module.def("stream_operator",
             &stream_operator,
             nb::arg("session"),
             nb::arg("traits"),
             nb::arg("factory"),
             nb::arg("inputs"),
             nb::arg("output"),
             nb::arg("emitted") = "insert",
             nb::arg("takes_changes") = false,
             nb::arg("primary_key") = std::vector<int32_t>());
  module.def("stream_connector_sink", &stream_connector_sink);
  module.def("stream_inserts", &stream_inserts);
  module.def("write_lines", [](const nb::bytes& lines, bool to_stderr) {
    const std::string_view text(lines.c_str(), lines.size());
    bool written = false;
    {
      const nb::gil_scoped_release release;
      written = write_lines(to_stderr ? stderr : stdout, text);
    }
    if (!written) {
      PyErr_SetFromErrno(PyExc_OSError);
      throw nb::python_error();
    }
  });
  module.def("has_shape", [](const nb::list& records, const std::string& shape) {
    return has_shape(records, shape);
  });
  module.def("execute_streams",
             &execute_streams,
             nb::arg("session"),
             nb::arg("ends"),
             nb::arg("collected").none(),
             nb::arg("name"));
}

}  // namespace thalweg::binding
