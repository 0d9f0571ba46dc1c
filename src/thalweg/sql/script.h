#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg::sql {

/// One statement of a script, without the `;` after it.
struct ScriptStatement {
  std::string text;
  size_t offset = 0;  // in bytes from the start of the script
  int32_t line = 1;   // where it starts, from 1
  int32_t column = 1;
};

enum class StatementSets : uint8_t {
  /// BEGIN STATEMENT SET; ... END is one statement.
  kWhole,
  /// BEGIN STATEMENT SET, each INSERT and END come one by one, as in a shell.
  kSplit,
};

/// Cuts a script at its semicolons: not at those in strings, names, comments, hints and the bodies
/// of EXECUTE STATEMENT SET BEGIN ... END. Empty statements are left out. The text need not parse.
std::vector<ScriptStatement> split_script(std::string_view script,
                                          StatementSets statement_sets = StatementSets::kWhole);

/// For a shell: whether the text ends with `;` outside of everything that would swallow it.
bool is_complete(std::string_view text, StatementSets statement_sets = StatementSets::kSplit);

}  // namespace thalweg::sql
