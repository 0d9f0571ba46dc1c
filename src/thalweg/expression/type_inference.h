#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "thalweg/common/error.h"
#include "thalweg/types/data_type.h"

namespace thalweg::expression {

struct NoMatch;

/// The type that all can be turned into without loss of kind: CASE, IN, VALUES, UNION, ARRAY[..],
/// comparisons (Calcite's leastRestrictive). Nullable when any is. nullopt when there is none.
std::optional<DataType> least_common_type(std::span<const DataType> types);
std::optional<DataType> least_common_type(const DataType& left, const DataType& right);
/// The same for the arguments of functions that want one type (COALESCE, IFNULL, MAP_UNION), where
/// Flink has rules of its own (LogicalTypeMerging): DOUBLE beside FLOAT, FLOAT after DECIMAL, and a
/// TIMESTAMP beside a DATE becomes a DATE.
std::optional<DataType> common_argument_type(std::span<const DataType> types);

/// True when a value of `source` may be given where `target` is wanted (function arguments,
/// INSERT): widening casts only. Nullability is not looked at.
bool can_implicitly_cast(const DataType& source, const DataType& target);
/// True when CAST(source AS target) exists. Rules are Flink's LogicalTypeCasts.
bool can_cast(const DataType& source, const DataType& target);
/// Throws kTypeMismatch, in Flink's words, when there is no such cast.
void require_cast(const DataType& source, const DataType& target, SourcePosition position = {});
/// True when some value of `source` may fail to become a `target`.
bool cast_can_fail(const DataType& source, const DataType& target);

// Results of arithmetic on decimals, as Flink derives them (its LogicalTypeMerging): never more
// than 38 digits, giving up fraction digits down to six first.
DataType decimal_sum_type(const DataType& left, const DataType& right);
DataType decimal_product_type(const DataType& left, const DataType& right);
DataType decimal_quotient_type(const DataType& left, const DataType& right);
DataType decimal_modulo_type(const DataType& left, const DataType& right);
DataType decimal_round_type(const DataType& type, int32_t digits);
/// An integer type as the decimal that holds it; decimals as they are.
DataType as_decimal(const DataType& type);

/// The type as schemas show it: Flink keeps intervals as MONTH and SECOND(3), inside other types
/// too.
DataType resolved_type(const DataType& type);
/// Calcite's spelling in "Cannot apply ..." messages: INTEGER, VARCHAR(2147483647).
std::string sql_type_name(const DataType& type);
/// "<INTEGER> + <BOOLEAN>" or "UPPER(<INTEGER>)".
std::string describe_call_types(const std::string& name,
                                const std::string& infix,
                                std::span<const DataType> types);
/// kTypeMismatch for a call of `name` with arguments that it does not take: `given` is the call
/// with their types, `forms` what it accepts.
Error mismatch_error(const NoMatch& mismatch,
                     const std::string& name,
                     const std::string& given,
                     const std::string& forms);

}  // namespace thalweg::expression
