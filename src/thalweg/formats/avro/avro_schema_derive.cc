#include "thalweg/common/error.h"
#include "thalweg/formats/avro/avro_schema.h"

namespace thalweg::formats::avro {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + '"';
}

[[noreturn]] void unsupported(const DataType& type, const std::string& why) {
  throw Error(ErrorCode::kUnsupportedFormatType,
              "Avro does not support " + type.to_string() + ": " + why);
}

std::string logical(const char* type, const std::string& name) {
  return fmt::format(R"({{"type":"{}","logicalType":"{}"}})", type, name);
}

/// Writes types as Avro's Schema.toString() would, names made as Flink's AvroSchemaConverter (2.3)
/// makes them.
class SchemaWriter {
 public:
  explicit SchemaWriter(TimestampMapping mapping) : mapping_(mapping) {}

  std::string record(const std::vector<Field>& fields,
                     const std::string& name,
                     bool outermost) const {
    std::string result = R"({"type":"record","name":)" + quoted(name);
    if (outermost) {
      result += R"(,"namespace":"org.apache.flink.avro.generated")";
    }
    result += R"(,"fields":[)";
    for (size_t i = 0; i < fields.size(); ++i) {
      const Field& field = fields[i];
      check_name(field.name);
      result += (i == 0 ? "" : ",");
      result += R"({"name":)" + quoted(field.name) + R"(,"type":)" +
                type(field.type, name + "_" + field.name);
      result += field.type.is_nullable() ? R"(,"default":null})" : "}";
    }
    return result + "]}";
  }

 private:
  /// Avro's rule for names.
  static void check_name(const std::string& name) {
    bool good = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    for (const char c : name) {
      good = good && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
    }
    if (!good) {
      throw Error(ErrorCode::kUnsupportedFormatType,
                  "Avro does not allow the column name '" + name + "'")
          .hint("use letters, digits and underscores");
    }
  }

  std::string type(const DataType& type, const std::string& name) const {
    const std::string bare = not_null(type, name);
    return type.is_nullable() ? R"(["null",)" + bare + "]" : bare;
  }

  std::string not_null(const DataType& type, const std::string& name) const {
    switch (type.kind()) {
      case TypeKind::kBoolean:
        return R"("boolean")";
      case TypeKind::kTinyInt:
      case TypeKind::kSmallInt:
      case TypeKind::kInt:
        return R"("int")";
      case TypeKind::kBigInt:
        return R"("long")";
      case TypeKind::kFloat:
        return R"("float")";
      case TypeKind::kDouble:
        return R"("double")";
      case TypeKind::kChar:
      case TypeKind::kVarChar:
        return R"("string")";
      case TypeKind::kBinary:
      case TypeKind::kVarBinary:
        return R"("bytes")";
      case TypeKind::kDecimal:
        return fmt::format(
            R"({{"type":"bytes","logicalType":"decimal","precision":{},"scale":{}}})",
            type.precision(),
            type.scale());
      case TypeKind::kDate:
      case TypeKind::kTime:
      case TypeKind::kTimestamp:
      case TypeKind::kTimestampLtz:
        return temporal(type);
      default:
        return nested(type, name);
    }
  }

  std::string temporal(const DataType& type) const {
    if (type.kind() == TypeKind::kDate) {
      return logical("int", "date");
    }
    if (type.kind() == TypeKind::kTime) {
      if (type.precision() > 3) {
        unsupported(type, "only precisions up to 3");
      }
      return logical("int", "time-millis");
    }
    const bool is_local = type.kind() == TypeKind::kTimestamp;
    if (mapping_.legacy) {
      if (!is_local) {
        unsupported(type, "set 'timestamp_mapping.legacy' = 'false' to use it");
      }
      if (type.precision() > 3) {
        unsupported(type, "only precisions up to 3; 'timestamp_mapping.legacy' = 'false' allows 6");
      }
      return logical("long", "timestamp-millis");
    }
    if (type.precision() > 6) {
      unsupported(type, "only precisions up to 6");
    }
    return logical("long",
                   std::string(is_local ? "local-" : "") +
                       (type.precision() > 3 ? "timestamp-micros" : "timestamp-millis"));
  }

  std::string nested(const DataType& type_, const std::string& name) const {
    switch (type_.kind()) {
      case TypeKind::kRow:
        if (type_.is_structured()) {
          unsupported(type_, "CAST it to a ROW");
        }
        return record(type_.fields(), name, false);
      case TypeKind::kArray:
        return R"({"type":"array","items":)" + type(type_.child(0), name) + "}";
      case TypeKind::kMap:
      case TypeKind::kMultiset: {
        if (!type_.child(0).is_character()) {
          unsupported(type_, "keys of maps must be strings");
        }
        const DataType value =
            type_.kind() == TypeKind::kMap ? type_.child(1) : DataType::integer();
        return R"({"type":"map","values":)" + type(value, name) + "}";
      }
      default:
        unsupported(type_, "it has no counterpart");
    }
  }

  TimestampMapping mapping_;
};

}  // namespace

std::string derive_schema(const Schema& columns, TimestampMapping mapping) {
  return SchemaWriter(mapping).record(columns, "record", true);
}

}  // namespace thalweg::formats::avro
