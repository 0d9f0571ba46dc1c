#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "session_parts.h"
#include "thalweg/sql/unparser.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

using OptionalText = std::optional<std::string>;

nb::object text_or_none(const OptionalText& text) {
  return text ? nb::cast(*text) : nb::none();
}

/// ("column", name, type), ("computed", name, expression), ("metadata", name, type, key,
/// "VIRTUAL"): the parts of Python's Schema; a comment is a last part.
nb::tuple column_part(const sql::ColumnDefinition& column) {
  nb::list part;
  switch (column.kind) {
    case sql::ColumnKind::kPhysical:
      part.append("column");
      part.append(column.name.text);
      part.append(column.type.to_string());
      break;
    case sql::ColumnKind::kComputed:
      part.append("computed");
      part.append(column.name.text);
      part.append(sql::unparse(*column.expr));
      break;
    default:
      part.append("metadata");
      part.append(column.name.text);
      part.append(column.type.to_string());
      part.append(column.metadata_key.value_or(""));
      part.append(column.is_virtual ? "VIRTUAL" : "");
  }
  if (column.comment) {
    part.append("COMMENT " + *column.comment);
  }
  return nb::tuple(part);
}

nb::dict table_parts(const catalog::CatalogTable& table) {
  nb::list schema;
  for (const sql::ColumnDefinition& column : table.columns) {
    schema.append(column_part(column));
  }
  if (table.watermark) {
    schema.append(nb::make_tuple(
        "watermark", table.watermark->column.dotted(), sql::unparse(*table.watermark->expr)));
  }
  if (table.primary_key) {
    nb::list key;
    key.append("key");
    key.append(table.primary_key->name);
    for (const std::string& column : table.primary_key->columns) {
      key.append(column);
    }
    schema.append(nb::tuple(key));
  }
  nb::dict parts;
  parts["schema"] = schema;
  parts["options"] = nb::cast(table.options);
  parts["partition_keys"] = nb::cast(table.partition_keys);
  parts["comment"] = text_or_none(table.comment);
  return parts;
}

nb::dict view_parts(const catalog::CatalogView& view) {
  nb::list schema;
  for (const Field& field : view.schema) {
    schema.append(nb::make_tuple("column", field.name, field.type.to_string()));
  }
  nb::dict parts;
  parts["schema"] = schema;
  parts["options"] = nb::dict();
  parts["query"] = view.original_text;
  parts["expanded_query"] = view.expanded_text;
  parts["comment"] = text_or_none(view.comment);
  return parts;
}

nb::dict object_parts(const catalog::CatalogObject& object) {
  if (const auto* table = std::get_if<catalog::CatalogTablePtr>(&object)) {
    return table_parts(**table);
  }
  return view_parts(*std::get<catalog::CatalogViewPtr>(object));
}

/// A catalog that is a Python object: `bridge` is a `PythonCatalogBridge` of
/// thalweg.table.catalog_bridge. Used by the session's thread, which may not hold the GIL.
class PythonCatalog final : public catalog::Catalog {
 public:
  using Define = std::function<catalog::CatalogObject(const std::string&)>;

  PythonCatalog(nb::object bridge, Define define)
      : bridge_(std::move(bridge)), define_(std::move(define)) {}

  ~PythonCatalog() override {
    const nb::gil_scoped_acquire acquire;
    bridge_.reset();
  }

  PythonCatalog(const PythonCatalog&) = delete;
  PythonCatalog& operator=(const PythonCatalog&) = delete;

  std::vector<std::string> databases() const override {
    return ask<std::vector<std::string>>("databases");
  }

  std::optional<catalog::Database> database(const std::string& name) const override {
    using Found = std::optional<std::pair<OptionalText, catalog::OptionMap>>;
    Found found = ask<Found>("database", name);
    if (!found) {
      return std::nullopt;
    }
    return catalog::Database{std::move(found->first), std::move(found->second)};
  }

  void put_database(const std::string& name, catalog::Database database) override {
    tell("put_database", name, database.properties, database.comment);
  }

  void remove_database(const std::string& name) override { tell("remove_database", name); }

  std::vector<std::string> objects(const std::string& database) const override {
    return ask<std::vector<std::string>>("objects", database);
  }

  std::optional<catalog::CatalogObject> object(const std::string& database,
                                               const std::string& name) const override {
    const auto statement = ask<OptionalText>("statement", database, name);
    if (!statement) {
      return std::nullopt;
    }
    return define_(*statement);
  }

  void put_object(const std::string& database,
                  const std::string& name,
                  catalog::CatalogObject object) override {
    const nb::gil_scoped_acquire acquire;
    tell("put_object", database, name, object_parts(object));
  }

  void remove_object(const std::string& database, const std::string& name) override {
    tell("remove_object", database, name);
  }

  std::vector<std::string> functions(const std::string& database) const override {
    return ask<std::vector<std::string>>("functions", database);
  }

  catalog::CatalogFunctionPtr function(const std::string& database,
                                       const std::string& name) const override {
    using Found = std::optional<std::pair<std::string, std::string>>;
    const Found found = ask<Found>("function", database, name);
    if (!found) {
      return nullptr;
    }
    auto function = std::make_shared<catalog::CatalogFunction>();
    function->identifier = found->first;
    function->language = found->second;
    return function;
  }

  void put_function(const std::string& database,
                    const std::string& name,
                    catalog::CatalogFunctionPtr function) override {
    tell("put_function", database, name, function->identifier, function->language);
  }

  void remove_function(const std::string& database, const std::string& name) override {
    tell("remove_function", database, name);
  }

 private:
  template <typename Answer, typename... Arguments>
  Answer ask(const char* method, const Arguments&... arguments) const {
    const nb::gil_scoped_acquire acquire;
    try {
      return nb::cast<Answer>(bridge_.attr(method)(arguments...));
    } catch (const nb::python_error& error) {
      throw Error(ErrorCode::kValidation, fmt::format("The catalog failed: {}", error.what()));
    }
  }

  template <typename... Arguments>
  void tell(const char* method, const Arguments&... arguments) const {
    const nb::gil_scoped_acquire acquire;
    ask<nb::object>(method, arguments...);
  }

  nb::object bridge_;
  Define define_;
};

void register_catalog(const SessionPtr& self,
                      const std::string& name,
                      const nb::object& bridge,
                      const std::string& default_database) {
  with_statement({}, [&] {
    engine::Session& session = *self->session;
    auto define = [&session](const std::string& statement) { return session.define(statement); };
    session.catalogs().add_catalog(
        name,
        std::make_unique<PythonCatalog>(bridge, std::move(define)),
        {.options = {{"type", "python"}, {"default-database", default_database}}, .comment = {}});
  });
}

nb::object catalog_database(const SessionPtr& self,
                            const std::string& catalog,
                            const std::string& database) {
  const auto found = self->session->catalogs().catalog(catalog).database(database);
  if (!found) {
    return nb::none();
  }
  return nb::make_tuple(text_or_none(found->comment), nb::cast(found->properties));
}

nb::list catalog_objects(const SessionPtr& self,
                         const std::string& catalog,
                         const std::string& database) {
  const catalog::Catalog& of = self->session->catalogs().catalog(catalog);
  nb::list found;
  for (const std::string& name : of.objects(database)) {
    const auto object = of.object(database, name);
    found.append(
        nb::make_tuple(name, object && std::holds_alternative<catalog::CatalogViewPtr>(*object)));
  }
  return found;
}

nb::object catalog_object(const SessionPtr& self,
                          const std::string& catalog,
                          const std::string& database,
                          const std::string& name) {
  const catalog::Catalog& of = self->session->catalogs().catalog(catalog);
  const auto found = of.database(database) ? of.object(database, name) : std::nullopt;
  return found ? nb::object(object_parts(*found)) : nb::none();
}

nb::object catalog_function(const SessionPtr& self,
                            const std::string& catalog,
                            const std::string& database,
                            const std::string& name) {
  const catalog::Catalog& of = self->session->catalogs().catalog(catalog);
  const auto found = of.database(database) ? of.function(database, name) : nullptr;
  if (found == nullptr) {
    return nb::none();
  }
  nb::dict parts;
  parts["class_name"] = found->identifier;
  parts["language"] = found->language;
  parts["options"] = nb::cast(found->options);
  return parts;
}

}  // namespace

void bind_session_catalogs(nb::class_<SessionHandle>& session) {
  session.def("register_catalog", &register_catalog)
      .def("catalog_databases",
           [](const SessionPtr& self, const std::string& catalog) {
             return self->session->catalogs().catalog(catalog).databases();
           })
      .def("catalog_database", &catalog_database)
      .def("catalog_objects", &catalog_objects)
      .def("catalog_object", &catalog_object)
      .def("catalog_functions",
           [](const SessionPtr& self, const std::string& catalog, const std::string& database) {
             return self->session->catalogs().catalog(catalog).functions(database);
           })
      .def("catalog_function", &catalog_function);
}

}  // namespace thalweg::binding
