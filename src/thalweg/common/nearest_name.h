#pragma once

#include <span>
#include <string>
#include <string_view>

namespace thalweg {

/// The candidate closest to `name` ("did you mean"), ignoring case; empty when none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace thalweg
