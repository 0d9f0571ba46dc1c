#pragma once

#include <memory>
#include <string>

namespace thalweg::connectors::kafka {

/// The regular expression of 'topic-pattern'. Matches whole names, as Java's matcher does.
class TopicPattern {
 public:
  /// Throws kInvalidOption with the place of the fault.
  explicit TopicPattern(const std::string& pattern);

  bool matches(const std::string& topic) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

}  // namespace thalweg::connectors::kafka
