#include "thalweg/formats/format_registry.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/stream/option.h"

namespace thalweg::formats {

#define THALWEG_FORMAT(factory) std::unique_ptr<stream::FormatFactory> factory();
#include "thalweg/formats/registered_formats.def"
#undef THALWEG_FORMAT

FormatRegistry::FormatRegistry() {
#define THALWEG_FORMAT(factory) add(factory());
#include "thalweg/formats/registered_formats.def"
#undef THALWEG_FORMAT
}

void FormatRegistry::add(std::unique_ptr<stream::FormatFactory> factory) {
  std::string name = factory->name();
  factories_[std::move(name)] = std::move(factory);
}

const stream::FormatFactory& FormatRegistry::format(const std::string& name) const {
  const auto found = factories_.find(name);
  if (found != factories_.end()) {
    return *found->second;
  }
  Error error(ErrorCode::kFormatNotFound,
              fmt::format("Could not find any format for identifier '{}'.\n\nAvailable format "
                          "identifiers are:\n\n{}",
                          name,
                          fmt::join(names(), "\n")));
  const auto near = stream::did_you_mean(name, names());
  throw std::move(error).hint(near ? fmt::format("Did you mean '{}'?", *near) : "");
}

std::vector<std::string> FormatRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, factory] : factories_) {
    names.push_back(name);
  }
  return names;
}

}  // namespace thalweg::formats
