#pragma once

#include <string>

#include "thalweg/types/data_type.h"

namespace thalweg::planner {

/// A type as Flink's plans and validation errors write it: "INTEGER", "VARCHAR(2147483647)",
/// "TIMESTAMP(3) *ROWTIME*", "RecordType:peek_no_expand(INTEGER a)". Without nullability.
std::string plan_type(const DataType& type);

/// As plan_type, with the character set of texts and "NOT NULL": how plans write the target of a
/// cast and the type of a literal.
std::string full_plan_type(const DataType& type, bool with_nullability);

/// The columns of a query as users are told of them: Flink keeps intervals as SECOND(3) and MONTH,
/// whatever units they were written with.
Schema resolved_schema(Schema schema);

/// The family that "No match found for function signature F(<NUMERIC>)" names.
std::string type_family(const DataType& type);

}  // namespace thalweg::planner
