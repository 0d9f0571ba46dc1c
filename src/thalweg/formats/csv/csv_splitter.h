#pragma once

#include <string>
#include <string_view>

#include "thalweg/formats/csv/csv_options.h"

namespace thalweg::formats {

/// Takes records apart as Jackson's CsvDecoder does: a quote counts only at the start of a field,
/// spaces behind a closing quote are skipped, a bare carriage return ends a line.
class CsvSplitter {
 public:
  explicit CsvSplitter(const CsvOptions& options);

  /// The end of the record at the front of `bytes`, its line end included, or npos when it is not
  /// complete.
  size_t record_end(std::string_view bytes) const;

  /// Starts on a record. Its bytes must stay until the last field is read.
  void start(std::string_view record);

  enum class Step : uint8_t {
    kField,
    kEnd,
    /// The record can't be split further; `problem` says why.
    kBroken,
  };

  /// Moves to the next field; its text is good until the next call.
  Step next(std::string_view& field);

  const std::string& problem() const { return problem_; }

 private:
  bool at_delimiter(std::string_view bytes, size_t at) const;

  bool is_quote(char c) const { return quoting_ && c == quote_; }

  bool is_escape(char c) const { return escaping_ && c == escape_; }

  bool is_plain(std::string_view record) const;
  size_t plain_record_end(std::string_view bytes, size_t newline) const;
  size_t scan_record_end(std::string_view bytes) const;
  size_t quoted_end(std::string_view bytes, size_t at) const;
  Step next_plain(std::string_view& field);
  Step next_unquoted(std::string_view& field);
  Step next_quoted(std::string_view& field);
  Step finish_quoted();
  bool append_unescaped();

  std::string delimiter_;
  char quote_ = 0;
  char escape_ = 0;
  bool quoting_ = false;
  bool escaping_ = false;
  bool comments_ = false;

  std::string_view record_;
  size_t at_ = 0;
  /// No quote, escape or line end in the record: fields lie between delimiters.
  bool plain_ = true;
  bool ended_ = true;
  std::string scratch_;
  std::string problem_;
};

}  // namespace thalweg::formats
