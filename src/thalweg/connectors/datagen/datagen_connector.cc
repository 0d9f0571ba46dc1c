#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/datagen/datagen_source.h"
#include "thalweg/stream/connector.h"

namespace thalweg::connectors {

namespace {

std::vector<stream::OptionSpec> datagen_option_specs() {
  using stream::OptionType;
  return {
      {.key = "rows-per-second",
       .type = OptionType::kLong,
       .default_value = "10000",
       .description = "How many rows to make in a second, over all readers together."},
      {.key = "number-of-rows",
       .type = OptionType::kLong,
       .description = "Ends after so many rows; without it only a sequence's end ends the table."},
      {.key = "scan.parallelism",
       .type = OptionType::kInt,
       .description = "The number of parallel readers."},
      {.key = "fields.#.kind",
       .type = OptionType::kEnum,
       .default_value = "random",
       .description = "How the values of a column are made.",
       .values = {"random", "sequence"}},
      {.key = "fields.#.min",
       .type = OptionType::kDouble,
       .description = "The least random number; by default the least of the type."},
      {.key = "fields.#.max",
       .type = OptionType::kDouble,
       .description = "The greatest random number; by default the greatest of the type."},
      {.key = "fields.#.max-past",
       .type = OptionType::kDuration,
       .default_value = "0 s",
       .description = "How far random timestamps lie back from now, at most."},
      {.key = "fields.#.var-len",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Make texts and bytes of random lengths up to 'length'."},
      {.key = "fields.#.null-rate",
       .type = OptionType::kDouble,
       .default_value = "0",
       .description = "The share of NULLs, from 0 to 1."},
      {.key = "fields.#.length",
       .type = OptionType::kInt,
       .description = "The length of texts and bytes (100), or the size of collections (3)."},
      {.key = "fields.#.start",
       .type = OptionType::kLong,
       .description = "The first value of a sequence."},
      {.key = "fields.#.end",
       .type = OptionType::kLong,
       .description = "The last value of a sequence: the table ends with it."},
  };
}

/// Options of columns that the table does not have.
void check_field_names(const stream::TableContext& context) {
  std::vector<std::string> names;
  for (const Field& column : context.columns) {
    names.push_back(column.name);
  }
  constexpr std::string_view kPrefix = "fields.";
  for (const auto& [key, value] : context.options) {
    if (!key.starts_with(kPrefix)) {
      continue;
    }
    const std::string rest = key.substr(kPrefix.size());
    const bool known = std::any_of(names.begin(), names.end(), [&rest](const std::string& name) {
      return rest.starts_with(name + ".");
    });
    if (!known) {
      const std::string name = rest.substr(0, rest.find('.'));
      const auto near = stream::did_you_mean(name, names);
      throw Error(ErrorCode::kUnknownOption,
                  fmt::format("Unsupported options found for 'datagen'.\n\nUnsupported "
                              "options:\n\n{}\n\nThe table {} has these columns: {}",
                              key,
                              context.table_name,
                              fmt::join(names, ", ")))
          .hint(near ? fmt::format("Did you mean 'fields.{}{}'?", *near, rest.substr(name.size()))
                     : fmt::format("Remove '{}'.", key));
    }
  }
}

/// 'connector' = 'datagen': rows of random numbers and texts, or of sequences.
class DatagenConnector final : public stream::ConnectorFactory {
 public:
  std::string name() const override { return "datagen"; }

  std::vector<stream::OptionSpec> option_specs() const override { return datagen_option_specs(); }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    const stream::Options options(name(), option_specs(), context.options);
    options.validate();
    check_field_names(context);
    auto plan = std::make_shared<DatagenPlan>();
    plan->rows_per_second = options.get_int("rows-per-second");
    if (options.has("number-of-rows")) {
      plan->rows = options.get_int("number-of-rows");
      plan->is_bounded = true;
    }
    if (options.has("scan.parallelism")) {
      plan->parallelism = static_cast<int32_t>(options.get_int("scan.parallelism"));
    }
    std::random_device device;
    plan->seed = uint64_t{device()} << 32U | device();
    add_fields(context, options, *plan);
    return make_datagen_source(std::move(plan));
  }

  std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& context) const override {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Connector 'datagen' can only be used as a source. It cannot be used "
                            "as a sink: {}",
                            context.table_name));
  }

 private:
  /// All columns are checked and can end the table, the used ones are made.
  static void add_fields(const stream::TableContext& context,
                         const stream::Options& options,
                         DatagenPlan& plan) {
    for (size_t i = 0; i < context.columns.size(); ++i) {
      const Field& column = context.columns[i];
      auto generator = make_generator(column.name, column.type, options);
      if (const std::optional<int64_t> limit = generator->limit()) {
        plan.rows = std::min(plan.rows.value_or(*limit), *limit);
      }
      if (!context.projection ||
          std::binary_search(
              context.projection->begin(), context.projection->end(), static_cast<int32_t>(i))) {
        plan.schema.push_back(column);
        plan.generators.push_back(std::move(generator));
        plan.field_ids.push_back(i);
      }
    }
  }
};

}  // namespace

std::unique_ptr<stream::ConnectorFactory> make_datagen_connector() {
  return std::make_unique<DatagenConnector>();
}

}  // namespace thalweg::connectors
