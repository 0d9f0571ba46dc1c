#pragma once

#include <map>
#include <string>

namespace thalweg::engine {

/// The options of a CSV file's table as Flink has them since 1.11, for one that is described by the
/// older properties ('connector.type' = 'filesystem', 'format.type' = 'csv'), which Flink 2.3 still
/// reads; other options as they are. Throws where a header line is to be passed over.
std::map<std::string, std::string> without_legacy(
    const std::map<std::string, std::string>& options);

}  // namespace thalweg::engine
