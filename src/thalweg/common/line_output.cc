#include "thalweg/common/line_output.h"

#include <string>

namespace thalweg {

bool write_lines(std::FILE* file, std::string_view lines) {
  flockfile(file);
  const bool written = std::fwrite(lines.data(), 1, lines.size(), file) == lines.size();
  const bool flushed = std::fflush(file) == 0;
  std::clearerr(file);
  funlockfile(file);
  return written && flushed;
}

void write_line(std::FILE* file, std::string_view line) {
  thread_local std::string whole;
  whole.assign(line);
  whole += '\n';
  write_lines(file, whole);
}

}  // namespace thalweg
