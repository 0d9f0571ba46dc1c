#include "thalweg/functions/regex/like_pattern.h"

#include "thalweg/expression/utf8.h"

namespace thalweg::functions {

std::optional<LikePattern> LikePattern::compile(std::string_view pattern,
                                                std::optional<std::string_view> escape) {
  if (escape && utf8::count(*escape) != 1) {
    return std::nullopt;
  }
  LikePattern compiled;
  compiled.pieces_.emplace_back();
  for (size_t at = 0; at < pattern.size();) {
    Piece& piece = compiled.pieces_.back();
    if (escape && pattern.substr(at).starts_with(*escape)) {
      at += escape->size();
      const bool fits = at < pattern.size() && (pattern[at] == '%' || pattern[at] == '_' ||
                                                pattern.substr(at).starts_with(*escape));
      if (!fits) {
        return std::nullopt;
      }
    } else if (pattern[at] == '%') {
      compiled.pieces_.emplace_back();
      ++at;
      continue;
    } else if (pattern[at] == '_') {
      piece.text += '_';
      piece.wild.push_back(true);
      piece.has_wild = true;
      ++at;
      continue;
    }
    piece.text += pattern[at++];
    piece.wild.push_back(false);
  }
  return compiled;
}

/// True when `piece` matches at the start of `text`; `end` is then the bytes taken.
bool LikePattern::matches_at(const Piece& piece, std::string_view text, size_t& end) {
  if (!piece.has_wild) {
    end = piece.text.size();
    return text.starts_with(piece.text);
  }
  size_t at = 0;
  for (size_t i = 0; i < piece.text.size(); ++i) {
    if (at >= text.size()) {
      return false;
    }
    if (piece.wild[i]) {
      at += utf8::width(text[at]);
    } else if (text[at] == piece.text[i]) {
      ++at;
    } else {
      return false;
    }
  }
  end = at;
  return at <= text.size();
}

size_t LikePattern::find_piece(const Piece& piece,
                               std::string_view text,
                               size_t from,
                               size_t& end) {
  if (!piece.has_wild) {
    const size_t found = text.find(piece.text, from);
    end = found == std::string_view::npos ? found : found + piece.text.size();
    return found;
  }
  for (size_t at = from; at < text.size(); at += utf8::width(text[at])) {
    size_t length = 0;
    if (matches_at(piece, text.substr(at), length)) {
      end = at + length;
      return at;
    }
  }
  return std::string_view::npos;
}

/// The last piece must end where the text ends, at or after `from`.
bool LikePattern::matches_suffix(const Piece& piece, std::string_view text, size_t from) const {
  if (!piece.has_wild) {
    return text.size() - from >= piece.text.size() && text.ends_with(piece.text);
  }
  // A piece of fixed length in characters: step back that many.
  size_t begin = text.size();
  for (size_t i = piece.text.size(); i > 0; --i) {
    if (begin <= from) {
      return false;
    }
    --begin;
    while (piece.wild[i - 1] && begin > from && utf8::is_continuation(text[begin])) {
      --begin;
    }
  }
  size_t end = 0;
  return matches_at(piece, text.substr(begin), end) && begin + end == text.size();
}

bool LikePattern::matches(std::string_view text) const {
  size_t at = 0;
  if (!matches_at(pieces_.front(), text, at)) {
    return false;
  }
  if (pieces_.size() == 1) {
    return at == text.size();
  }
  for (size_t i = 1; i + 1 < pieces_.size(); ++i) {
    size_t end = at;
    if (!pieces_[i].text.empty() &&
        find_piece(pieces_[i], text, at, end) == std::string_view::npos) {
      return false;
    }
    at = end;
  }
  return matches_suffix(pieces_.back(), text, at);
}

}  // namespace thalweg::functions
