#include "thalweg/sql/ast_match.h"
#include "thalweg/sql/unparse_writer.h"

namespace thalweg::sql {

namespace {

void write_alias(Writer& writer, const TableRef& ref) {
  if (!ref.alias) {
    const std::string alias =
        writer.options.names == nullptr ? std::string() : writer.options.names->alias(ref);
    writer << (alias.empty() ? "" : " AS " + quote_identifier(alias));
    return;
  }
  writer << " AS " << quote_identifier(ref.alias->name.text);
  if (!ref.alias->columns.empty()) {
    writer << " (";
    write_names(writer, ref.alias->columns);
    writer << ")";
  }
}

void write_named(Writer& writer, const NamedTable& table) {
  writer << (writer.options.names == nullptr ? unparse(table.name)
                                             : writer.options.names->table(table.name));
  writer << (table.hints.empty() ? "" : " ");
  write_hints(writer, table.hints);
  if (table.as_of) {
    writer << " FOR SYSTEM_TIME AS OF ";
    write_expr(writer, *table.as_of);
  }
}

std::string_view join_words(JoinType type) {
  switch (type) {
    case JoinType::kComma:
      return ",\n";
    case JoinType::kCross:
      return "\nCROSS JOIN ";
    case JoinType::kInner:
      return "\nINNER JOIN ";
    case JoinType::kLeft:
      return "\nLEFT JOIN ";
    case JoinType::kRight:
      return "\nRIGHT JOIN ";
    case JoinType::kFull:
      return "\nFULL JOIN ";
    case JoinType::kSemi:
      return "\nLEFT SEMI JOIN ";
    case JoinType::kAnti:
      return "\nLEFT ANTI JOIN ";
  }
  unreachable("join type");
}

/// Joins associate to the left, and a comma binds looser than the word JOIN.
bool needs_parens(const TableRef& operand, JoinType outer, bool right) {
  const Join* join = if_a<Join>(operand);
  if (join == nullptr || join->alias) {
    return false;
  }
  if (outer == JoinType::kComma) {
    return right && join->type == JoinType::kComma;
  }
  return right || join->type == JoinType::kComma;
}

void write_join_operand(Writer& writer, const TableRef& operand, bool parens) {
  writer << (parens ? "(" : "");
  write_table_ref(writer, operand);
  writer << (parens ? ")" : "");
}

void write_join(Writer& writer, const Join& join) {
  write_join_operand(writer, *join.left, needs_parens(*join.left, join.type, false));
  const std::string_view words = join_words(join.type);
  writer << (join.natural ? "\nNATURAL " : "") << (join.natural ? words.substr(1) : words);
  write_join_operand(writer, *join.right, needs_parens(*join.right, join.type, true));
  if (join.on) {
    writer << " ON ";
    write_expr(writer, *join.on);
  } else if (!join.join_columns.empty()) {
    writer << " USING (";
    write_names(writer, join.join_columns);
    writer << ")";
  }
}

void write_derived(Writer& writer, const DerivedTable& table) {
  writer << (table.lateral ? "LATERAL (" : "(");
  write_query(writer, *table.query);
  writer << ")";
}

void write_bare(Writer& writer, const TableRef& ref) {
  switch (ref.kind) {
    case TableRefKind::kNamed:
      return write_named(writer, as<NamedTable>(ref));
    case TableRefKind::kDerived:
      return write_derived(writer, as<DerivedTable>(ref));
    case TableRefKind::kFunction: {
      const auto& function = as<TableFunction>(ref);
      writer << (function.lateral ? "LATERAL TABLE(" : "TABLE(");
      write_expr(writer, *function.call);
      writer << ")";
      return;
    }
    case TableRefKind::kUnnest: {
      const auto& unnest = as<Unnest>(ref);
      writer << "UNNEST(";
      write_expr_list(writer, unnest.collections);
      writer << ")" << (unnest.with_ordinality ? " WITH ORDINALITY" : "");
      return;
    }
    case TableRefKind::kJoin:
      return write_join(writer, as<Join>(ref));
    case TableRefKind::kMatch:
      return write_match(writer, as<MatchRecognize>(ref));
  }
}

}  // namespace

void write_table_ref(Writer& writer, const TableRef& ref) {
  const bool parens = ref.kind == TableRefKind::kJoin && ref.alias;
  writer << (parens ? "(" : "");
  write_bare(writer, ref);
  writer << (parens ? ")" : "");
  write_alias(writer, ref);
}

}  // namespace thalweg::sql
