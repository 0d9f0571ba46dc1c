#include <memory>
#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

void parse_input_and_path(TokenCursor& cursor, FunctionCall& call) {
  call.args.push_back(parse_expr(cursor));
  if (cursor.accept("FORMAT")) {
    cursor.expect("JSON");
  }
  cursor.expect(TokenKind::kComma, ",");
  call.args.push_back(parse_expr(cursor));
}

/// A behaviour, then ON EMPTY or ON ERROR.
void set_behaviour(TokenCursor& cursor,
                   JsonClauses& clauses,
                   JsonBehaviour behaviour,
                   ExprPtr value) {
  cursor.expect("ON");
  if (cursor.accept("EMPTY")) {
    clauses.on_empty = behaviour;
    clauses.default_on_empty = std::move(value);
    return;
  }
  if (!cursor.accept("ERROR")) {
    cursor.unexpected("EMPTY or ERROR");
  }
  clauses.on_error = behaviour;
  clauses.default_on_error = std::move(value);
}

void parse_returning(TokenCursor& cursor, JsonClauses& clauses) {
  if (cursor.accept("RETURNING")) {
    clauses.returning = parse_type(cursor);
  }
}

void parse_exists_clauses(TokenCursor& cursor, JsonClauses& clauses) {
  JsonBehaviour behaviour = JsonBehaviour::kUnset;
  if (cursor.accept("TRUE")) {
    behaviour = JsonBehaviour::kTrue;
  } else if (cursor.accept("FALSE")) {
    behaviour = JsonBehaviour::kFalse;
  } else if (cursor.accept("UNKNOWN")) {
    behaviour = JsonBehaviour::kUnknown;
  } else if (cursor.accept("ERROR")) {
    behaviour = JsonBehaviour::kError;
  } else {
    return;
  }
  cursor.expect_all({"ON", "ERROR"});
  clauses.on_error = behaviour;
}

void parse_value_clauses(TokenCursor& cursor, JsonClauses& clauses) {
  parse_returning(cursor, clauses);
  while (!cursor.at(TokenKind::kRightParen)) {
    if (cursor.accept("NULL")) {
      set_behaviour(cursor, clauses, JsonBehaviour::kNull, nullptr);
    } else if (cursor.accept("ERROR")) {
      set_behaviour(cursor, clauses, JsonBehaviour::kError, nullptr);
    } else if (cursor.accept("DEFAULT")) {
      ExprPtr value = parse_expr(cursor);
      set_behaviour(cursor, clauses, JsonBehaviour::kDefault, std::move(value));
    } else {
      cursor.unexpected("RETURNING, NULL ON, ERROR ON, DEFAULT or )");
    }
  }
}

void parse_wrapper(TokenCursor& cursor, JsonClauses& clauses) {
  if (cursor.accept("WITHOUT")) {
    clauses.wrapper = JsonWrapper::kWithout;
  } else if (cursor.accept("WITH")) {
    const bool conditional = cursor.accept("CONDITIONAL");
    if (!conditional) {
      cursor.accept("UNCONDITIONAL");
    }
    clauses.wrapper = conditional ? JsonWrapper::kConditional : JsonWrapper::kUnconditional;
  } else {
    return;
  }
  cursor.accept("ARRAY");
  cursor.expect("WRAPPER");
}

void parse_query_clauses(TokenCursor& cursor, JsonClauses& clauses) {
  parse_returning(cursor, clauses);
  parse_wrapper(cursor, clauses);
  while (!cursor.at(TokenKind::kRightParen)) {
    if (cursor.accept("NULL")) {
      set_behaviour(cursor, clauses, JsonBehaviour::kNull, nullptr);
    } else if (cursor.accept("ERROR")) {
      set_behaviour(cursor, clauses, JsonBehaviour::kError, nullptr);
    } else if (cursor.accept_all({"EMPTY", "ARRAY"})) {
      set_behaviour(cursor, clauses, JsonBehaviour::kEmptyArray, nullptr);
    } else if (cursor.accept_all({"EMPTY", "OBJECT"})) {
      set_behaviour(cursor, clauses, JsonBehaviour::kEmptyObject, nullptr);
    } else {
      cursor.unexpected("RETURNING, a wrapper, ON EMPTY, ON ERROR or )");
    }
  }
}

void parse_on_null(TokenCursor& cursor, JsonClauses& clauses) {
  if (cursor.accept_all({"NULL", "ON", "NULL"})) {
    clauses.on_null = JsonOnNull::kNull;
  } else if (cursor.accept_all({"ABSENT", "ON", "NULL"})) {
    clauses.on_null = JsonOnNull::kAbsent;
  }
}

bool at_on_null(const TokenCursor& cursor) {
  return cursor.at_all({"NULL", "ON", "NULL"}) || cursor.at_all({"ABSENT", "ON", "NULL"});
}

/// [KEY] k VALUE v, or k : v.
void parse_key_value(TokenCursor& cursor, FunctionCall& call) {
  // KEY is a name too: it is the keyword unless VALUE or : follows it.
  if (cursor.at("KEY") && !cursor.at("VALUE", 1) && !cursor.at(TokenKind::kColon, 1)) {
    cursor.next();
  }
  call.args.push_back(parse_expr(cursor));
  if (!cursor.accept("VALUE")) {
    cursor.expect(TokenKind::kColon, "VALUE");
  }
  call.args.push_back(parse_expr(cursor));
  if (cursor.accept("FORMAT")) {
    cursor.expect("JSON");
  }
}

void parse_object(TokenCursor& cursor, FunctionCall& call, JsonClauses& clauses) {
  if (!cursor.at(TokenKind::kRightParen) && !at_on_null(cursor)) {
    do {
      parse_key_value(cursor, call);
    } while (cursor.accept(TokenKind::kComma));
  }
  parse_on_null(cursor, clauses);
}

void parse_array_items(TokenCursor& cursor, FunctionCall& call, JsonClauses& clauses) {
  if (!cursor.at(TokenKind::kRightParen) && !at_on_null(cursor)) {
    do {
      call.args.push_back(parse_expr(cursor));
      if (cursor.accept("FORMAT")) {
        cursor.expect("JSON");
      }
    } while (cursor.accept(TokenKind::kComma));
  }
  if (cursor.accept_all({"ORDER", "BY"})) {
    call.order_by = parse_order_items(cursor);
  }
  parse_on_null(cursor, clauses);
}

/// The name's keyword, from the token before the opening parenthesis.
bool is_named(const FunctionCall& call, std::string_view keyword) {
  const std::string& name = call.name.last();
  return name.size() == keyword.size() &&
         std::equal(name.begin(), name.end(), keyword.begin(), [](char a, char b) {
           return (a >= 'a' && a <= 'z' ? a - 'a' + 'A' : a) == b;
         });
}

}  // namespace

bool parse_json_arguments(TokenCursor& cursor, FunctionCall& call) {
  auto clauses = std::make_shared<JsonClauses>();
  if (is_named(call, "JSON_EXISTS")) {
    parse_input_and_path(cursor, call);
    parse_exists_clauses(cursor, *clauses);
  } else if (is_named(call, "JSON_VALUE")) {
    parse_input_and_path(cursor, call);
    parse_value_clauses(cursor, *clauses);
  } else if (is_named(call, "JSON_QUERY")) {
    parse_input_and_path(cursor, call);
    parse_query_clauses(cursor, *clauses);
  } else if (is_named(call, "JSON_OBJECT") || is_named(call, "JSON_OBJECTAGG")) {
    parse_object(cursor, call, *clauses);
  } else if (is_named(call, "JSON_ARRAY") || is_named(call, "JSON_ARRAYAGG")) {
    parse_array_items(cursor, call, *clauses);
  } else {
    return false;
  }
  call.json = std::move(clauses);
  return true;
}

}  // namespace thalweg::sql
