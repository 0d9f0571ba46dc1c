#include <fmt/format.h>

#include "thalweg/sql/unparse_writer.h"

namespace thalweg::sql {

namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += fmt::format("{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

void write_interval(Writer& writer, const Literal& literal) {
  writer << "INTERVAL " << (literal.negative_interval ? "-" : "") << quote_string(literal.text)
         << " ";
  write_qualifier(writer, literal.interval);
}

/// In Flink's words: ROW< `a` INTEGER 'note' >, ARRAY< INTEGER >, MAP< STRING, INTEGER >,
/// STRUCTURED< 'c', `a` INTEGER >. ROW(...) is not told apart from ROW<...>.
void write_nested_type(Writer& writer, const DataType& type) {
  const bool row = type.kind() == TypeKind::kRow;
  const bool structured = type.is_structured();
  const std::string_view word = structured                        ? "STRUCTURED"
                                : row                             ? "ROW"
                                : type.kind() == TypeKind::kArray ? "ARRAY"
                                : type.kind() == TypeKind::kMap   ? "MAP"
                                                                  : "MULTISET";
  writer << word << "< " << (structured ? quote_string(type.class_name()) : "");
  const size_t shown = type.kind() == TypeKind::kMultiset ? 1 : type.child_count();
  for (size_t i = 0; i < shown; ++i) {
    const Field& field = type.fields()[i];
    writer << (i == 0 && !structured ? "" : ", ")
           << (row ? quote_identifier(field.name) + " " : "");
    write_type(writer, field.type);
    writer << (field.type.is_nullable() ? "" : " NOT NULL");
    if (!field.description.empty()) {
      writer << " " << quote_string(field.description);
    }
  }
  writer << " >";
}

}  // namespace

void write_literal(Writer& writer, const Literal& literal) {
  switch (literal.literal_kind) {
    case LiteralKind::kNull:
    case LiteralKind::kBoolean:
    case LiteralKind::kExactNumeric:
    case LiteralKind::kApproximateNumeric:
      writer << literal.text;
      return;
    case LiteralKind::kString:
      writer << quote_string(literal.text);
      return;
    case LiteralKind::kBinary:
      writer << "X'" << hex(literal.text) << "'";
      return;
    case LiteralKind::kDate:
      writer << "DATE " << quote_string(literal.text);
      return;
    case LiteralKind::kTime:
      writer << "TIME " << quote_string(literal.text);
      return;
    case LiteralKind::kTimestamp:
      writer << "TIMESTAMP " << quote_string(literal.text);
      return;
    case LiteralKind::kTimestampLtz:
      writer << "TIMESTAMP WITH LOCAL TIME ZONE " << quote_string(literal.text);
      return;
    case LiteralKind::kInterval:
      write_interval(writer, literal);
      return;
  }
}

void write_qualifier(Writer& writer, const IntervalQualifier& qualifier) {
  writer << to_string(qualifier.leading);
  const bool two_in_parens = !qualifier.trailing && qualifier.fraction_precision >= 0;
  if (qualifier.leading_precision >= 0) {
    writer << fmt::format("({}", qualifier.leading_precision)
           << (two_in_parens ? fmt::format(", {})", qualifier.fraction_precision) : ")");
  }
  if (qualifier.trailing) {
    writer << " TO " << to_string(*qualifier.trailing);
    if (qualifier.fraction_precision >= 0) {
      writer << fmt::format("({})", qualifier.fraction_precision);
    }
  }
}

void write_type(Writer& writer, const DataType& type) {
  constexpr int32_t kDefaultTimestampPrecision = 6;
  if (type.is_nested()) {
    write_nested_type(writer, type);
  } else if (type.kind() == TypeKind::kInt) {
    writer << "INTEGER";  // Calcite's word
  } else if (type.is_timestamp() && type.precision() == kDefaultTimestampPrecision) {
    writer << (type.kind() == TypeKind::kTimestamp ? "TIMESTAMP" : "TIMESTAMP_LTZ");
  } else if (type.kind() == TypeKind::kTime && type.precision() == 0) {
    writer << "TIME";
  } else {
    writer << type.as_nullable().with_time_attribute(TimeAttribute::kNone).to_string();
  }
}

std::string quote_string(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string unparse(const ObjectName& name) {
  std::string text;
  for (const Identifier& part : name.parts) {
    text += (text.empty() ? "" : ".") + quote_identifier(part.text);
  }
  return text;
}

void write_names(Writer& writer, const std::vector<Identifier>& names) {
  std::string_view separator;
  for (const Identifier& name : names) {
    writer << separator << quote_identifier(name.text);
    separator = ", ";
  }
}

}  // namespace thalweg::sql
