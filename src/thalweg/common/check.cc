#include "thalweg/common/check.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg {

void check_failed(std::string_view message, const std::source_location& where) {
  throw Error(ErrorCode::kInternal,
              fmt::format("Internal error: {} ({}:{})", message, where.file_name(), where.line()));
}

}  // namespace thalweg
