// PARSE_URL, INET_ATON, INET_NTOA.
#include <algorithm>
#include <charconv>

#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::row_kernel;
using expression::ScalarFunction;

namespace {

/// A URL taken apart as java.net.URL does.
struct Url {
  std::optional<std::string_view> protocol, authority, user_info, host, path, query, reference,
      file;
};

std::optional<Url> parse_url(std::string_view text) {
  Url url;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    return std::nullopt;
  }
  url.protocol = text.substr(0, colon);
  // Java knows no others.
  constexpr std::string_view kProtocols[] = {"http", "https", "ftp", "file", "jar", "mailto"};
  if (std::find(std::begin(kProtocols), std::end(kProtocols), *url.protocol) ==
      std::end(kProtocols)) {
    return std::nullopt;
  }
  std::string_view rest = text.substr(colon + 1);
  const size_t hash = rest.find('#');
  if (hash != std::string_view::npos) {
    url.reference = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const size_t end = rest.find_first_of("/?");
    url.authority = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end);
    const size_t at = url.authority->rfind('@');
    std::string_view host = *url.authority;
    if (at != std::string_view::npos) {
      url.user_info = host.substr(0, at);
      host = host.substr(at + 1);
    }
    url.host = host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
  }
  url.file = rest;
  const size_t question = rest.find('?');
  url.path = rest.substr(0, question);
  if (question != std::string_view::npos) {
    url.query = rest.substr(question + 1);
  }
  return url;
}

std::optional<std::string_view> url_part(std::string_view text, std::string_view part) {
  const auto url = parse_url(text);
  if (!url) {
    return std::nullopt;
  }
  if (part == "HOST") {
    return url->host;
  }
  if (part == "PATH") {
    return url->path;
  }
  if (part == "QUERY") {
    return url->query;
  }
  if (part == "REF") {
    return url->reference;
  }
  if (part == "PROTOCOL") {
    return url->protocol;
  }
  if (part == "AUTHORITY") {
    return url->authority;
  }
  if (part == "FILE") {
    return url->file;
  }
  return part == "USERINFO" ? url->user_info : std::nullopt;
}

std::optional<std::string_view> query_value(std::string_view text,
                                            std::string_view part,
                                            std::string_view key) {
  if (part != "QUERY") {
    return std::nullopt;
  }
  auto query = url_part(text, part);
  while (query) {
    const size_t end = query->find('&');
    const std::string_view pair = query->substr(0, end);
    const size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == key) {
      return pair.substr(equals + 1);
    }
    query = end == std::string_view::npos ? std::nullopt : std::optional(query->substr(end + 1));
  }
  return std::nullopt;
}

ScalarFunction parse_url_function() {
  ScalarFunction function =
      documented({{"PARSE_URL"},
                  "'PARSE_URL(<CHARACTER>, <CHARACTER> part[, <CHARACTER> key])'",
                  "A part of a URL (HOST, PATH, QUERY, REF, PROTOCOL, AUTHORITY, FILE, USERINFO), "
                  "or the value "
                  "of a key of its QUERY.",
                  {"PARSE_URL('http://x.com/p.php?k1=v1&k2=v2#Ref1', 'HOST') -> x.com",
                   "PARSE_URL('http://x.com/p.php?k1=v1&k2=v2#Ref1', 'QUERY', 'k2') -> v2"}},
                 nullable({{Family::kText, Family::kText}, {Family::kText}}, DataType::string()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return signature.arguments.size() == 2
               ? row_kernel<std::string_view, std::string_view, std::string_view>(signature.result,
                                                                                  url_part)
               : row_kernel<std::string_view, std::string_view, std::string_view, std::string_view>(
                     signature.result, query_value);
  };
  return function;
}

/// Of fewer than four parts the last is the lowest byte: '127.1' is 127.0.0.1.
std::optional<int64_t> inet_aton(std::string_view text) {
  int64_t address = 0;
  for (int part = 0; part < 4; ++part) {
    uint8_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec != std::errc{}) {
      return std::nullopt;
    }
    text.remove_prefix(static_cast<size_t>(end.ptr - text.data()));
    if (text.empty()) {
      return (address << (part > 0 ? 8 * (4 - part) : 0)) + value;
    }
    address = address * 256 + value;
    if (text[0] != '.') {
      return std::nullopt;
    }
    text.remove_prefix(1);
  }
  return std::nullopt;
}

}  // namespace

void add_net(FunctionRegistry& registry) {
  registry.add(parse_url_function());
  registry.add(simple<int64_t, std::string_view>({{"INET_ATON"},
                                                  "'INET_ATON(<CHARACTER>)'",
                                                  "An IPv4 address as a number.",
                                                  {"INET_ATON('127.0.0.1') -> 2130706433"}},
                                                 nullable({{Family::kText}}, DataType::big_int()),
                                                 inet_aton));
  registry.add(simple<std::string_view, int64_t>(
      {{"INET_NTOA"},
       "'INET_NTOA(<INTEGER>)'",
       "The IPv4 address that a number stands for.",
       {"INET_NTOA(2130706433) -> 127.0.0.1"}},
      nullable({{DataType::big_int()}}, DataType::string()),
      [](std::string& out, int64_t address) {
        if (address < 0 || address > 0xFFFFFFFFLL) {
          return false;
        }
        out = fmt::format(
            "{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
        return true;
      }));
}

}  // namespace thalweg::functions
