#include "thalweg/sql/script.h"

#include <utility>

#include "thalweg/sql/lexer.h"

namespace thalweg::sql {

namespace {

/// Walks over the tokens of a script and tells where statements end; lives for one call.
class Splitter {
 public:
  Splitter(std::string_view script, StatementSets statement_sets)
      : script_(script),
        split_sets_(statement_sets == StatementSets::kSplit),
        tokens_(tokenize(script)) {}

  /// True when the last statement is closed.
  bool run(std::vector<ScriptStatement>& statements) {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::kEnd) {
        break;
      }
      if (token.kind == TokenKind::kSemicolon && !in_set_) {
        close(statements, i);
        continue;
      }
      if (first_ == kNone) {
        first_ = i;
      }
      follow_sets(i);
    }
    const bool closed = first_ == kNone;
    close(statements, tokens_.size() - 1);
    return closed;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  bool words_end_at(size_t i, std::string_view a, std::string_view b, std::string_view c) const {
    return i >= 2 && i - 2 >= first_ && tokens_[i - 2].keyword == a &&
           tokens_[i - 1].keyword == b && tokens_[i].keyword == c;
  }

  void follow_sets(size_t i) {
    const std::string& word = tokens_[i].keyword;
    const bool opens = words_end_at(i, "STATEMENT", "SET", "BEGIN") ||
                       (!split_sets_ && words_end_at(i, "BEGIN", "STATEMENT", "SET"));
    if (opens) {
      in_set_ = true;
      cases_ = 0;
    } else if (in_set_ && word == "CASE") {
      ++cases_;
    } else if (in_set_ && word == "END") {
      if (cases_ == 0) {
        in_set_ = false;
      } else {
        --cases_;
      }
    }
  }

  void close(std::vector<ScriptStatement>& statements, size_t end) {
    if (first_ != kNone) {
      const Token& begin = tokens_[first_];
      const size_t length = tokens_[end - 1].end - begin.offset;
      statements.push_back({.text = std::string(script_.substr(begin.offset, length)),
                            .offset = begin.offset,
                            .line = begin.position.line,
                            .column = begin.position.column});
    }
    first_ = kNone;
    in_set_ = false;
  }

  std::string_view script_;
  bool split_sets_;
  std::vector<Token> tokens_;
  size_t first_ = kNone;
  bool in_set_ = false;
  int cases_ = 0;
};

}  // namespace

std::vector<ScriptStatement> split_script(std::string_view script, StatementSets statement_sets) {
  std::vector<ScriptStatement> statements;
  Splitter(script, statement_sets).run(statements);
  return statements;
}

bool is_complete(std::string_view text, StatementSets statement_sets) {
  std::vector<ScriptStatement> statements;
  return Splitter(text, statement_sets).run(statements);
}

}  // namespace thalweg::sql
