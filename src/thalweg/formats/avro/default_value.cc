#include <nlohmann/json.hpp>

#include "thalweg/formats/avro/decimal_bytes.h"
#include "thalweg/formats/avro/value_reader.h"

namespace thalweg::formats::avro {
namespace {

using Json = nlohmann::json;

/// Bytes are written in JSON as characters 0 to 255.
std::string bytes_of(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead >= 0xc0 && i + 1 < text.size()) {
      const auto next = static_cast<unsigned char>(text[++i]);
      bytes += static_cast<char>((lead & 0x03U) << 6U | (next & 0x3fU));
    } else {
      bytes += static_cast<char>(lead);
    }
  }
  return bytes;
}

Value to_value(const Json& json, const DataType& type) {
  if (json.is_null()) {
    return {};
  }
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Value(json.get<bool>());
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return Value(json.get<double>());
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return Value(json.get<std::string>());
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return Value(bytes_of(json.get<std::string>()));
    case TypeKind::kDecimal:
      return Value(decimal_from_bytes(bytes_of(json.get<std::string>())));
    case TypeKind::kArray: {
      ValueList list;
      for (const Json& element : json) {
        list.push_back(to_value(element, type.child(0)));
      }
      return Value(std::move(list));
    }
    case TypeKind::kMap: {
      ValueList list;
      for (const auto& [key, value] : json.items()) {
        list.emplace_back(std::string(key));
        list.push_back(to_value(value, type.child(1)));
      }
      return Value(std::move(list));
    }
    case TypeKind::kRow: {
      ValueList list;
      for (const Field& field : type.fields()) {
        list.push_back(json.contains(field.name) ? to_value(json[field.name], field.type)
                                                 : Value());
      }
      return Value(std::move(list));
    }
    default:
      if (type.physical() == PhysicalKind::kInt128) {
        return Value(static_cast<Int128>(json.get<int64_t>()) * 1'000'000);
      }
      return Value(json.get<int64_t>());
  }
}

}  // namespace

Value default_value(const std::string& json, const DataType& type) {
  try {
    return to_value(Json::parse(json), type);
  } catch (const Json::exception&) {
    throw AvroFault{"the default " + json + " in the schema does not fit " + type.to_string()};
  }
}

}  // namespace thalweg::formats::avro
