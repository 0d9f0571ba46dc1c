#pragma once

#include <span>
#include <string>

#include "thalweg/formats/json/json_plan.h"
#include "thalweg/formats/json/json_scalar.h"
#include "thalweg/formats/json/json_walker.h"

namespace thalweg::formats {

/// Turns the tokens of one record into a row. Keeps what it learns of the records' layout. One
/// owner, one thread.
class JsonReader {
 public:
  JsonReader(const Schema& schema, JsonOptions options);

  /// Appends one value to each builder. False when the record gives no row: then `problem` says
  /// why, and the builders hold parts of it, which the caller takes back.
  bool read_record(JsonWalker& walker, std::span<ColumnBuilder> builders, int32_t row);

  const std::string& problem() const { return problem_; }

  const JsonOptions& options() const { return options_; }

  /// What is known of the records' layout.
  JsonPlan& plan() { return root_; }

 private:
  JsonOutcome broken(std::string_view why);
  JsonOutcome read_object(JsonWalker& walker,
                          JsonPlan& plan,
                          std::span<ColumnBuilder> builders,
                          int32_t row);
  JsonOutcome read_member(JsonWalker& walker, JsonPlan& plan, size_t position, int32_t& field);
  JsonOutcome read_field(
      JsonWalker& walker, JsonPlan& plan, size_t index, ColumnBuilder& builder, int32_t row);
  JsonOutcome fill_missing(std::span<ColumnBuilder> builders, int32_t row);
  JsonOutcome read_value(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder);
  JsonOutcome read_text(JsonWalker& walker, ColumnBuilder& builder);
  JsonOutcome read_container(JsonWalker& walker, ColumnBuilder& builder);
  JsonOutcome read_nested(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder);
  JsonOutcome read_element(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder);
  JsonOutcome read_array(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder);
  JsonOutcome read_map(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder);
  JsonOutcome read_row(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder);

  JsonOptions options_;
  JsonPlan root_;
  bool exact_decimals_;
  std::string scratch_;
  std::string problem_;
};

}  // namespace thalweg::formats
