#pragma once

#include <cstdio>
#include <string_view>

namespace thalweg {

/// Writes a line and its end at once, so that lines of several threads and of Python never mix,
/// also where the stream has no buffer. Flushes.
void write_line(std::FILE* file, std::string_view line);

}  // namespace thalweg
