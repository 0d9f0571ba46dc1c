#pragma once

#include <map>
#include <string>
#include <string_view>

namespace thalweg::connectors::kafka {

/// One login entry of `sasl.jaas.config`: "org.apache...PlainLoginModule required username="u"
/// password="p";".
struct JaasEntry {
  std::string login_module;
  std::map<std::string, std::string> options;
};

/// Throws kInvalidOption with what is wrong in the text; never shows a password.
JaasEntry parse_jaas(std::string_view text);

}  // namespace thalweg::connectors::kafka
