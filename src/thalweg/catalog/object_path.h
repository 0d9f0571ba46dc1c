#pragma once

#include <compare>
#include <string>

namespace thalweg::catalog {

/// The full name of a table, view or function.
struct ObjectPath {
  std::string catalog;
  std::string database;
  std::string object;

  auto operator<=>(const ObjectPath&) const = default;

  /// catalog.database.object, for messages.
  std::string summary() const;
  /// `catalog`.`database`.`object`.
  std::string quoted() const;
};

}  // namespace thalweg::catalog
