#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/stream/source.h"

namespace thalweg::connectors {

/// One of several sources that are read one after another.
struct SourcePart {
  std::shared_ptr<stream::TableSource> source;
  /// For each column of the whole its place in this source's rows, or -1 where it has none: NULL.
  std::vector<int32_t> places;
};

/// A source that reads `parts` in turn (Flink's HybridSource): the splits of a part are looked for
/// once every reader has read all of the part before. All but the last end. Splits of a part behind
/// the first are called "topic-0 (source 2)".
std::shared_ptr<stream::TableSource> make_in_turn_source(Schema columns,
                                                         std::vector<SourcePart> parts);

}  // namespace thalweg::connectors
