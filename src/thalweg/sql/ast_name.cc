#include "thalweg/sql/ast_name.h"

namespace thalweg::sql {

SourcePosition span(const SourcePosition& first, const SourcePosition& last) {
  return {first.line, first.column, last.end_line, last.end_column};
}

SourcePosition ObjectName::position() const {
  return parts.empty() ? SourcePosition{} : span(parts.front().position, parts.back().position);
}

std::vector<std::string> ObjectName::strings() const {
  std::vector<std::string> result;
  result.reserve(parts.size());
  for (const Identifier& part : parts) {
    result.push_back(part.text);
  }
  return result;
}

std::string ObjectName::dotted() const {
  std::string result;
  for (const Identifier& part : parts) {
    result += (result.empty() ? "" : ".") + part.text;
  }
  return result;
}

}  // namespace thalweg::sql
