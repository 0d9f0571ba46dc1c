#include <map>

#include <nlohmann/json.hpp>

#include "thalweg/common/error.h"
#include "thalweg/formats/avro/avro_schema.h"

namespace thalweg::formats::avro {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kInvalidOption, "Avro schema can't be used: " + what);
}

LogicalType logical_type(const std::string& name) {
  static const std::map<std::string, LogicalType> kTypes = {
      {"decimal", LogicalType::kDecimal},
      {"date", LogicalType::kDate},
      {"time-millis", LogicalType::kTimeMillis},
      {"time-micros", LogicalType::kTimeMicros},
      {"timestamp-millis", LogicalType::kTimestampMillis},
      {"timestamp-micros", LogicalType::kTimestampMicros},
      {"timestamp-nanos", LogicalType::kTimestampNanos},
      {"local-timestamp-millis", LogicalType::kTimestampMillis},
      {"local-timestamp-micros", LogicalType::kTimestampMicros},
      {"local-timestamp-nanos", LogicalType::kTimestampNanos},
  };
  const auto found = kTypes.find(name);
  return found == kTypes.end() ? LogicalType::kNone : found->second;
}

std::optional<NodeKind> primitive_kind(const std::string& name) {
  static const std::map<std::string, NodeKind> kKinds = {
      {"null", NodeKind::kNull},
      {"boolean", NodeKind::kBoolean},
      {"int", NodeKind::kInt},
      {"long", NodeKind::kLong},
      {"float", NodeKind::kFloat},
      {"double", NodeKind::kDouble},
      {"bytes", NodeKind::kBytes},
      {"string", NodeKind::kString},
  };
  const auto found = kKinds.find(name);
  return found == kKinds.end() ? std::nullopt : std::optional(found->second);
}

/// Walks the JSON of a schema, resolving names in their name spaces.
class SchemaParser {
 public:
  AvroSchema parse(const Json& json) {
    const Node* root = type(json, "");
    return {std::move(nodes_), root};
  }

 private:
  Node& add(NodeKind kind) {
    nodes_.push_back(std::make_unique<Node>());
    nodes_.back()->kind = kind;
    return *nodes_.back();
  }

  const Node* type(const Json& json, const std::string& name_space) {
    if (json.is_string()) {
      return named(json.get<std::string>(), name_space);
    }
    if (json.is_array()) {
      Node& node = add(NodeKind::kUnion);
      for (const Json& branch : json) {
        node.children.push_back(type(branch, name_space));
      }
      return &node;
    }
    if (!json.is_object() || !json.contains("type")) {
      fail("a type in it is neither a name, a list nor an object with 'type'");
    }
    const Json& inner = json["type"];
    if (!inner.is_string()) {
      return type(inner, name_space);
    }
    return complex(json, inner.get<std::string>(), name_space);
  }

  const Node* named(const std::string& name, const std::string& name_space) {
    if (const auto primitive = primitive_kind(name)) {
      return &add(*primitive);
    }
    const auto found = types_.find(full_name(name, name_space));
    if (found != types_.end()) {
      return found->second;
    }
    const auto plain = types_.find(name);
    if (plain == types_.end()) {
      fail("type '" + name + "' is not defined in it");
    }
    return plain->second;
  }

  const Node* complex(const Json& json, const std::string& kind, const std::string& name_space) {
    if (kind == "record" || kind == "error") {
      return record(json, name_space);
    }
    if (kind == "enum" || kind == "fixed") {
      return enum_or_fixed(json, kind, name_space);
    }
    if (kind == "array" || kind == "map") {
      const char* element = kind == "array" ? "items" : "values";
      if (!json.contains(element)) {
        fail("an " + kind + " in it has no '" + element + "'");
      }
      const Node* child = type(json[element], name_space);
      Node& node = add(kind == "array" ? NodeKind::kArray : NodeKind::kMap);
      node.children.push_back(child);
      return &node;
    }
    const auto primitive = primitive_kind(kind);
    if (!primitive) {
      return named(kind, name_space);
    }
    Node& node = add(*primitive);
    set_logical(node, json);
    return &node;
  }

  const Node* record(const Json& json, const std::string& name_space) {
    Node& node = add(NodeKind::kRecord);
    const std::string inner_space = define(node, json, name_space);
    if (!json.contains("fields") || !json["fields"].is_array()) {
      fail("record '" + node.name + "' has no fields");
    }
    for (const Json& field : json["fields"]) {
      if (!field.contains("name") || !field.contains("type")) {
        fail("a field of record '" + node.name + "' has no name or type");
      }
      RecordField added;
      added.name = field["name"].get<std::string>();
      added.type = type(field["type"], inner_space);
      if (field.contains("default")) {
        added.default_json = field["default"].dump();
      }
      if (field.contains("aliases")) {
        added.aliases = field["aliases"].get<std::vector<std::string>>();
      }
      node.fields.push_back(std::move(added));
    }
    return &node;
  }

  const Node* enum_or_fixed(const Json& json,
                            const std::string& kind,
                            const std::string& name_space) {
    Node& node = add(kind == "enum" ? NodeKind::kEnum : NodeKind::kFixed);
    define(node, json, name_space);
    if (node.kind == NodeKind::kEnum) {
      node.symbols = json.at("symbols").get<std::vector<std::string>>();
    } else {
      node.fixed_size = json.at("size").get<int64_t>();
      set_logical(node, json);
    }
    return &node;
  }

  void set_logical(Node& node, const Json& json) {
    node.logical = logical_type(json.value("logicalType", std::string()));
    if (node.logical == LogicalType::kDecimal) {
      node.precision = json.value("precision", 0);
      node.scale = json.value("scale", 0);
    }
  }

  static std::string full_name(const std::string& name, const std::string& name_space) {
    return name.find('.') != std::string::npos || name_space.empty() ? name
                                                                     : name_space + "." + name;
  }

  /// Names the node and returns the name space of what is inside it.
  std::string define(Node& node, const Json& json, const std::string& name_space) {
    if (!json.contains("name")) {
      fail("a named type in it has no name");
    }
    node.name = full_name(json["name"].get<std::string>(), json.value("namespace", name_space));
    types_[node.name] = &node;
    const size_t dot = node.name.rfind('.');
    return dot == std::string::npos ? "" : node.name.substr(0, dot);
  }

  std::vector<std::unique_ptr<Node>> nodes_;
  std::map<std::string, const Node*> types_;
};

}  // namespace

AvroSchema AvroSchema::parse(std::string_view json) {
  try {
    return SchemaParser().parse(Json::parse(json));
  } catch (const Json::exception& error) {
    fail(error.what());
  }
}

std::string describe(const Node& node) {
  constexpr const char* kNames[] = {"null",
                                    "boolean",
                                    "int",
                                    "long",
                                    "float",
                                    "double",
                                    "bytes",
                                    "string",
                                    "record",
                                    "enum",
                                    "array",
                                    "map",
                                    "union",
                                    "fixed"};
  std::string text = kNames[static_cast<size_t>(node.kind)];
  return node.name.empty() ? text : text + " " + node.name;
}

}  // namespace thalweg::formats::avro
