#pragma once

#include <string_view>
#include <vector>

#include "thalweg/sql/ast_ddl.h"
#include "thalweg/sql/ast_match.h"
#include "thalweg/sql/ast_query.h"
#include "thalweg/sql/ast_statement.h"

namespace thalweg::sql {

/// Parses one statement with an optional `;` after it. Throws Error (kSqlSyntax, kReservedWord)
/// with the position.
StatementPtr parse_statement(std::string_view text);

/// Parses a script of statements separated by `;`. Positions count from the start of the script.
std::vector<StatementPtr> parse_statements(std::string_view text);

/// Parses one scalar expression; nothing may follow it.
ExprPtr parse_expression(std::string_view text);

/// Parses one query; nothing may follow it but `;`.
QueryPtr parse_query(std::string_view text);

/// Parses a data type such as "ROW<a INT NOT NULL, b ARRAY<STRING>>", with NOT NULL at the outer
/// level too.
DataType parse_data_type(std::string_view text);

/// Parses a dotted name such as "`my cat`.db.t" (Table API paths).
ObjectName parse_object_name(std::string_view text);

}  // namespace thalweg::sql
