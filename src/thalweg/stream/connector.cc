#include "thalweg/stream/connector.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::stream {

Schema produced_schema(const TableContext& context, const std::vector<MetadataKey>& keys) {
  Schema schema;
  if (context.projection) {
    for (const int32_t column : *context.projection) {
      schema.push_back(context.columns[static_cast<size_t>(column)]);
    }
  } else {
    schema = context.columns;
  }
  for (const std::string& key : context.metadata_keys) {
    const auto found = std::find_if(
        keys.begin(), keys.end(), [&key](const MetadataKey& known) { return known.key == key; });
    if (found == keys.end()) {
      std::vector<std::string> names;
      for (const MetadataKey& known : keys) {
        names.push_back(known.key);
      }
      throw Error(ErrorCode::kInvalidTable,
                  fmt::format("Invalid metadata key '{}' in table '{}'. The connector has these "
                              "metadata keys: {}",
                              key,
                              context.table_name,
                              names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    schema.push_back({key, found->type});
  }
  return schema;
}

OptionMap format_options(const OptionMap& options,
                         const std::string& scope,
                         const std::string& format) {
  const std::string prefix = scope.empty() ? format + "." : scope + "." + format + ".";
  OptionMap found;
  for (auto at = options.lower_bound(prefix); at != options.end() && at->first.starts_with(prefix);
       ++at) {
    found.emplace(at->first.substr(prefix.size()), at->second);
  }
  return found;
}

}  // namespace thalweg::stream
