#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "expression_tree.h"
#include "handles.h"
#include "thalweg/planner/changelog.h"
#include "thalweg/planner/optimizer.h"
#include "thalweg/planner/relation_changelog.h"
#include "thalweg/planner/relation_watermark.h"
#include "thalweg/planner/type_text.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

RelationHandle derived(const RelationHandle& from, planner::Relation relation) {
  return {from.owner, std::move(relation)};
}

RelationHandle select(const RelationHandle& self, const nb::sequence& expressions) {
  return derived(self, self.relation.project(select_items_from(expressions, *self.owner)));
}

RelationHandle aggregate(const RelationHandle& self,
                         const nb::sequence& keys,
                         const nb::sequence& expressions) {
  return derived(self,
                 self.relation.aggregate(expressions_from(keys, *self.owner),
                                         select_items_from(expressions, *self.owner)));
}

sql::JoinType join_type(std::string_view kind) {
  return kind == "LEFT"    ? sql::JoinType::kLeft
         : kind == "RIGHT" ? sql::JoinType::kRight
         : kind == "FULL"  ? sql::JoinType::kFull
                           : sql::JoinType::kInner;
}

sql::ExprPtr condition_from(const RelationHandle& self, nb::handle condition) {
  return condition.is_none() ? nullptr : expression_from(condition, *self.owner);
}

RelationHandle join(const RelationHandle& self,
                    const RelationHandle& right,
                    const std::string& kind,
                    nb::handle condition) {
  return derived(
      self, self.relation.join(right.relation, join_type(kind), condition_from(self, condition)));
}

/// `call` is ("as", function call, names).
RelationHandle lateral(const RelationHandle& self,
                       nb::handle call,
                       const std::string& kind,
                       nb::handle condition) {
  return derived(self,
                 self.relation.lateral(expression_from(call[1], *self.owner),
                                       strings_from(call[2]),
                                       join_type(kind),
                                       condition_from(self, condition)));
}

RelationHandle set_operation(const RelationHandle& self,
                             const RelationHandle& right,
                             const std::string& kind,
                             bool all_rows) {
  const sql::SetOp operation = kind == "UNION"       ? sql::SetOp::kUnion
                               : kind == "INTERSECT" ? sql::SetOp::kIntersect
                                                     : sql::SetOp::kExcept;
  return derived(self, self.relation.set_operation(right.relation, operation, all_rows));
}

ResultHandle execute(const RelationHandle& self) {
  self.owner->function_settings->refresh();
  const nb::gil_scoped_release release;
  return {self.owner, self.owner->session->execute_query(self.relation), ""};
}

void check_rows_only_come(const RelationHandle& self, const std::string& reader) {
  const auto plan = planner::optimize({self.relation.plan()}, true, self.relation.context());
  planner::check_insert_only(reader, *plan.roots.front());
}

}  // namespace

void bind_relation(nb::module_& module) {
  nb::class_<RelationHandle>(module, "Relation")
      .def("columns",
           [](const RelationHandle& self) {
             return columns_of(planner::resolved_schema(self.relation.schema()));
           })
      .def("session", [](const RelationHandle& self) { return self.owner; })
      .def("check_insert_only", &check_rows_only_come, nb::arg("reader"))
      .def("select", &select)
      .def("filter",
           [](const RelationHandle& self, nb::handle condition) {
             return derived(self, self.relation.filter(expression_from(condition, *self.owner)));
           })
      .def("aggregate", &aggregate)
      .def("distinct",
           [](const RelationHandle& self) { return derived(self, self.relation.distinct()); })
      .def("alias",
           [](const RelationHandle& self, const std::vector<std::string>& names) {
             return derived(self, self.relation.alias(names));
           })
      .def("join", &join, nb::arg("right"), nb::arg("kind"), nb::arg("condition").none())
      .def("lateral", &lateral, nb::arg("call"), nb::arg("kind"), nb::arg("condition").none())
      .def("set_operation", &set_operation)
      .def("order_by",
           [](const RelationHandle& self, const nb::sequence& keys) {
             return derived(self, self.relation.order_by(order_items_from(keys, *self.owner)));
           })
      .def("changelog",
           [](const RelationHandle& self, bool makes_table, const nb::sequence& arguments) {
             return derived(
                 self,
                 planner::with_changelog_function(
                     self.relation, makes_table, expressions_from(arguments, *self.owner)));
           })
      .def("with_watermark",
           [](const RelationHandle& self, const std::string& column, nb::handle watermark) {
             return derived(self,
                            planner::with_watermark(
                                self.relation, column, expression_from(watermark, *self.owner)));
           })
      .def(
          "limit",
          [](const RelationHandle& self, int64_t offset, std::optional<int64_t> fetch) {
            return derived(self, self.relation.limit(offset, fetch));
          },
          nb::arg("offset"),
          nb::arg("fetch").none())
      .def("execute", &execute);
}

}  // namespace thalweg::binding
