#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/stream/connector.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// Formats by name. Made once by the engine and given to connectors through
/// TableContext::formats; immutable from then on, so any thread may read it.
class FormatRegistry final : public stream::FormatLookup {
 public:
  /// Holds every format of registered_formats.def.
  FormatRegistry();

  void add(std::unique_ptr<stream::FormatFactory> factory);

  /// Throws kFormatNotFound with the nearest name and all that exist.
  const stream::FormatFactory& format(const std::string& name) const override;

  /// In order of the alphabet.
  std::vector<std::string> names() const;

 private:
  std::map<std::string, std::unique_ptr<stream::FormatFactory>> factories_;
};

}  // namespace thalweg::formats
