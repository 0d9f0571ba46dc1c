#pragma once

#include <cstdio>
#include <string_view>

namespace thalweg {

/// Writes whole lines, each with its end, and flushes. Those of several threads never mix, also
/// where the stream has no buffer, or where whoever reads it is slow. Whether it went well; if not,
/// errno says why.
bool write_lines(std::FILE* file, std::string_view lines);

/// As write_lines, for one line whose end is not in it yet. What can't be written is lost.
void write_line(std::FILE* file, std::string_view line);

}  // namespace thalweg
