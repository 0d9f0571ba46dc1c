#pragma once

#include <string>
#include <utility>
#include <vector>

#include "thalweg/common/error.h"

namespace thalweg::sql {

/// One name as it was written, without its back quotes.
struct Identifier {
  std::string text;
  SourcePosition position = {};

  Identifier() = default;

  explicit Identifier(std::string name, SourcePosition where = {})
      : text(std::move(name)), position(where) {}
};

/// A compound name such as `catalog`.`database`.`table`.
struct ObjectName {
  std::vector<Identifier> parts;

  ObjectName() = default;

  explicit ObjectName(std::vector<Identifier> names) : parts(std::move(names)) {}

  bool is_simple() const { return parts.size() == 1; }

  const std::string& last() const { return parts.back().text; }

  /// From the first part to the last.
  SourcePosition position() const;
  /// The parts as plain strings.
  std::vector<std::string> strings() const;
  /// Joined with dots, without quotes, for messages.
  std::string dotted() const;
};

/// The range from the start of `first` to the end of `last`.
SourcePosition span(const SourcePosition& first, const SourcePosition& last);

}  // namespace thalweg::sql
