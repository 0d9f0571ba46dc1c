#include "thalweg/connectors/kafka/table_options.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "thalweg/common/error.h"

namespace thalweg::connectors::kafka {
namespace {

using stream::OptionMap;
using stream::Options;

Error invalid(const std::string& message) {
  return Error(ErrorCode::kInvalidOption, message);
}

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

/// "partition:0,offset:42;partition:1,offset:300"
std::map<int32_t, int64_t> parse_offsets(const std::string& key, std::string_view text) {
  const auto fail = [&]() {
    return invalid("Invalid value for option '" + key + "': '" + std::string(text) + "'")
        .hint("write 'partition:0,offset:42;partition:1,offset:300'");
  };
  constexpr std::string_view kPartition = "partition:";
  constexpr std::string_view kOffset = "offset:";
  std::map<int32_t, int64_t> result;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const size_t comma = pair.find(',');
    if (comma == std::string_view::npos || !pair.starts_with(kPartition) ||
        !pair.substr(comma + 1).starts_with(kOffset)) {
      throw fail();
    }
    const auto partition = whole_number(pair.substr(kPartition.size(), comma - kPartition.size()));
    const auto offset = whole_number(pair.substr(comma + 1 + kOffset.size()));
    if (!partition || !offset || *partition > INT32_MAX) {
      throw fail();
    }
    result[static_cast<int32_t>(*partition)] = *offset;
  }
  if (result.empty()) {
    throw fail();
  }
  return result;
}

/// 'scan.startup.mode' or 'scan.bounded.mode' with the option that the mode needs.
ReadPoint parse_point(const Options& options, const std::string& prefix) {
  using Kind = ReadPoint::Kind;
  const std::string mode = options.get_string(prefix + ".mode");
  ReadPoint point;
  if (mode == "earliest-offset") {
    point.kind = Kind::kEarliest;
  } else if (mode == "latest-offset") {
    point.kind = Kind::kLatest;
  } else if (mode == "group-offsets") {
    point.kind = Kind::kGroup;
  } else if (mode == "timestamp") {
    point.kind = Kind::kTimestamp;
    const std::string key = prefix + ".timestamp-millis";
    if (!options.has(key)) {
      throw Error(ErrorCode::kMissingOption,
                  "'" + prefix + ".mode' = 'timestamp' needs option '" + key + "'")
          .hint("add '" + key + "' = 'milliseconds since 1970'");
    }
    point.timestamp_ms = options.get_int(key);
  } else if (mode == "specific-offsets") {
    point.kind = Kind::kSpecific;
    const std::string key = prefix + ".specific-offsets";
    if (!options.has(key)) {
      throw Error(ErrorCode::kMissingOption,
                  "'" + prefix + ".mode' = 'specific-offsets' needs option '" + key + "'")
          .hint("add '" + key + "' = 'partition:0,offset:42'");
    }
    point.offsets = parse_offsets(key, options.get_string(key));
  }
  return point;
}

void parse_topics(const Options& options, TableOptions& result) {
  if (options.has("topic")) {
    result.topics = options.get_list("topic");
  }
  result.topic_pattern = options.find_string("topic-pattern");
  if (options.has("topic") && result.topic_pattern) {
    throw invalid("Options 'topic' and 'topic-pattern' exclude each other")
        .hint("remove one of them");
  }
  if (result.topics.empty() && !result.topic_pattern) {
    throw Error(ErrorCode::kMissingOption,
                "One of the options 'topic' and 'topic-pattern' is required")
        .hint("add 'topic' = '...'");
  }
  const bool specific = result.start.kind == ReadPoint::Kind::kSpecific ||
                        result.stop.kind == ReadPoint::Kind::kSpecific;
  if (specific && (result.topics.size() > 1 || result.topic_pattern)) {
    throw invalid("Specific offsets need exactly one topic in option 'topic'");
  }
}

void parse_formats(const Options& options, TableOptions& result) {
  const auto plain = options.find_string("format");
  const auto value = options.find_string("value.format");
  if (plain && value) {
    throw invalid("Options 'format' and 'value.format' exclude each other")
        .hint("remove one of them");
  }
  if (!plain && !value) {
    throw Error(ErrorCode::kMissingOption,
                "One of the options 'format' and 'value.format' is required")
        .hint("add 'format' = 'json'");
  }
  result.value_format = plain ? *plain : *value;
  result.value_scope = plain ? "" : "value";
  result.key_format = options.find_string("key.format");
}

int32_t key_column(const std::string& name, const Schema& columns) {
  std::vector<std::string> names;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) {
      return static_cast<int32_t>(i);
    }
    names.push_back(columns[i].name);
  }
  const auto near = stream::did_you_mean(name, names);
  throw invalid("Option 'key.fields' names '" + name +
                "', which is not a physical column of the table")
      .hint(near ? "did you mean '" + *near + "'?"
                 : "the physical columns are " + fmt::format("{}", fmt::join(names, ", ")));
}

/// `names`: the columns of the key.
void parse_fields(const Options& options,
                  const Schema& columns,
                  const std::vector<std::string>& names,
                  TableOptions& result) {
  result.key_prefix = options.get_string("key.fields-prefix");
  const bool except_key = options.get_string("value.fields-include") == "EXCEPT_KEY";
  if (!result.key_format && !names.empty()) {
    throw invalid("Option 'key.fields' needs a format in 'key.format'")
        .hint("add 'key.format' = 'raw'");
  }
  if (result.key_format && names.empty()) {
    throw invalid("Option 'key.format' needs one or more columns in 'key.fields'");
  }
  if (!except_key && !result.key_prefix.empty()) {
    throw invalid("Option 'key.fields-prefix' needs 'value.fields-include' = 'EXCEPT_KEY'")
        .hint("key columns in the value would have no name of their own");
  }
  for (const std::string& name : names) {
    result.key_fields.push_back(key_column(name, columns));
    if (!name.starts_with(result.key_prefix)) {
      throw invalid("Column '" + name +
                    "' of option 'key.fields' does not begin with the 'key.fields-prefix' '" +
                    result.key_prefix + "'");
    }
  }
  for (int32_t i = 0; i < static_cast<int32_t>(columns.size()); ++i) {
    const bool is_key =
        std::find(result.key_fields.begin(), result.key_fields.end(), i) != result.key_fields.end();
    if (!is_key || !except_key) {
      result.value_fields.push_back(i);
    }
  }
}

void parse_partitioner(const Options& options, TableOptions& result) {
  const std::string partitioner = options.get_string("sink.partitioner");
  if (partitioner == "fixed") {
    result.partitioner = PartitionerKind::kFixed;
  } else if (partitioner == "round-robin") {
    if (!result.key_fields.empty()) {
      throw invalid("'sink.partitioner' = 'round-robin' works only without 'key.fields'");
    }
  } else if (partitioner != "default") {
    const auto near = stream::did_you_mean(partitioner, {"default", "fixed", "round-robin"});
    throw invalid("Invalid value for option 'sink.partitioner': '" + partitioner + "'")
        .hint(near ? "did you mean '" + *near + "'?"
                   : "default, fixed and round-robin are known; Java classes can't be used here");
  }
}

void parse_delivery(const Options& options, TableOptions& result) {
  const std::string guarantee = options.get_string("sink.delivery-guarantee");
  result.guarantee = guarantee == "exactly-once" ? DeliveryGuarantee::kExactlyOnce
                     : guarantee == "none"       ? DeliveryGuarantee::kNone
                                                 : DeliveryGuarantee::kAtLeastOnce;
  if (const auto prefix = options.find_string("sink.transactional-id-prefix")) {
    result.transactional_id_prefix = *prefix;
  } else if (result.guarantee == DeliveryGuarantee::kExactlyOnce) {
    throw Error(
        ErrorCode::kMissingOption,
        "'sink.delivery-guarantee' = 'exactly-once' needs option 'sink.transactional-id-prefix'")
        .hint("add 'sink.transactional-id-prefix' = 'a name that no other job uses'");
  }
  if (options.has("sink.parallelism")) {
    result.sink_parallelism = static_cast<int32_t>(options.get_int("sink.parallelism"));
  }
}

/// Prefixes of options that are checked by whom they belong to.
std::vector<std::string> foreign_prefixes(const TableOptions& options) {
  std::vector<std::string> prefixes = {
      "properties.", (options.value_scope.empty() ? "" : "value.") + options.value_format + "."};
  if (options.key_format) {
    prefixes.push_back("key." + *options.key_format + ".");
  }
  return prefixes;
}

}  // namespace

TableOptions parse_table_options(const OptionMap& values, const Schema& columns) {
  const Options options("kafka", kafka_option_specs(), values);
  TableOptions result;
  parse_formats(options, result);
  options.validate(foreign_prefixes(result));
  result.start = parse_point(options, "scan.startup");
  result.stop = parse_point(options, "scan.bounded");
  parse_topics(options, result);
  const auto names =
      options.has("key.fields") ? options.get_list("key.fields") : std::vector<std::string>{};
  parse_fields(options, columns, names, result);
  parse_partitioner(options, result);
  parse_delivery(options, result);
  result.discovery_interval_ms = options.get_duration_ms("scan.topic-partition-discovery.interval");
  return result;
}

TableOptions parse_upsert_options(const OptionMap& values,
                                  const Schema& columns,
                                  const std::vector<std::string>& primary_key) {
  const Options options("upsert-kafka", upsert_kafka_option_specs(), values);
  TableOptions result;
  result.upsert = true;
  result.key_format = options.find_string("key.format");
  result.value_format = options.find_string("value.format").value_or("");
  result.value_scope = "value";
  options.validate(foreign_prefixes(result));
  result.start.kind = ReadPoint::Kind::kEarliest;
  result.stop = parse_point(options, "scan.bounded");
  parse_topics(options, result);
  parse_fields(options, columns, primary_key, result);
  parse_delivery(options, result);
  result.discovery_interval_ms = options.get_duration_ms("scan.topic-partition-discovery.interval");
  return result;
}

}  // namespace thalweg::connectors::kafka
