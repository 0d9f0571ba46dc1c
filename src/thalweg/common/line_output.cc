#include "thalweg/common/line_output.h"

#include <string>

namespace thalweg {

void write_line(std::FILE* file, std::string_view line) {
  thread_local std::string whole;
  whole.assign(line);
  whole += '\n';
  std::fwrite(whole.data(), 1, whole.size(), file);
  std::fflush(file);
}

}  // namespace thalweg
