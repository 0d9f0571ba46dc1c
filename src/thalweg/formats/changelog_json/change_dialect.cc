#include "thalweg/formats/changelog_json/change_dialect.h"

#include <fmt/format.h>

#include "thalweg/formats/changelog_json/json_members.h"
#include "thalweg/formats/json/json_text.h"

namespace thalweg::formats {

void write_before_after(const BeforeAfter& words,
                        std::string_view row,
                        bool comes,
                        bool drops_nulls,
                        std::string& out) {
  const std::string_view missing = drops_nulls ? "" : "null";
  const auto member = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) {
      fmt::format_to(std::back_inserter(out), "\"{}\":{},", name, value);
    }
  };
  out += '{';
  member("before", comes ? missing : row);
  member("after", comes ? row : missing);
  fmt::format_to(std::back_inserter(out),
                 "\"{}\":\"{}\"}}",
                 words.kind_member,
                 comes ? words.insert : words.remove);
}

std::string no_old_row(std::string_view change, std::string_view tool) {
  return fmt::format(
      "The \"before\" field of {} message is null, if you are using {} Postgres Connector, please "
      "check the Postgres table has been set REPLICA IDENTITY to FULL level.",
      change,
      tool);
}

std::optional<std::string> complete_row(std::string_view old_row,
                                        std::string_view row,
                                        const std::set<std::string>& left_out) {
  JsonMembers old_members;
  JsonMembers members;
  if (!old_members.read(old_row) || !members.read(row)) {
    return std::nullopt;
  }
  std::string text = "{";
  const auto add = [&text](const JsonMembers::Member& member) {
    text += text.size() == 1 ? "" : ",";
    append_json_string(text, member.name);
    text += ':';
    text += member.value;
  };
  for (const JsonMembers::Member& member : old_members.members()) {
    add(member);
  }
  for (const JsonMembers::Member& member : members.members()) {
    if (!old_members.has(member.name) && !left_out.contains(member.name)) {
      add(member);
    }
  }
  return text + "}";
}

}  // namespace thalweg::formats
