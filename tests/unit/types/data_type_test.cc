#include "thalweg/types/data_type.h"

#include <doctest/doctest.h>

#include "thalweg/common/error.h"

namespace thalweg {

TEST_CASE("data types spell as Flink spells them") {
  CHECK(DataType::string().to_string() == "STRING");
  CHECK(DataType::string().to_serializable_string() == "VARCHAR(2147483647)");
  CHECK(DataType::decimal(10, 2).not_null().to_string() == "DECIMAL(10, 2) NOT NULL");
  CHECK(DataType::timestamp(3).with_time_attribute(TimeAttribute::kEventTime).to_string() ==
        "TIMESTAMP(3) *ROWTIME*");
  CHECK(DataType::timestamp_ltz(3).to_serializable_string() == "TIMESTAMP(3) WITH LOCAL TIME ZONE");
  CHECK(DataType::row(
            {{"a", DataType::integer().not_null()}, {"b`c", DataType::array(DataType::string())}})
            .to_string() == "ROW<`a` INT NOT NULL, `b``c` ARRAY<STRING>>");
  CHECK(DataType::interval_day_time("DAY", "SECOND").to_string() == "INTERVAL DAY(2) TO SECOND(3)");
}

TEST_CASE("equality looks at nullability, equals_ignoring_nullability does not") {
  CHECK(DataType::integer() != DataType::integer().not_null());
  CHECK(DataType::integer().equals_ignoring_nullability(DataType::integer().not_null()));
  CHECK_FALSE(DataType::character(2).equals_ignoring_nullability(DataType::character(3)));
}

TEST_CASE("a structured type is a row of its class") {
  const std::vector<Field> fields = {{"a", DataType::integer()}};
  const DataType user = DataType::structured("com.User", fields);
  CHECK(user.is_structured());
  CHECK(user.kind() == TypeKind::kRow);
  CHECK(user.class_name() == "com.User");
  CHECK(user.to_string() == "STRUCTURED<'com.User', `a` INT>");
  CHECK(user == DataType::structured("com.User", fields));
  CHECK(user != DataType::structured("com.Other", fields));
  CHECK(user != DataType::row(fields));
  CHECK_FALSE(DataType::row(fields).is_structured());
  CHECK_THROWS_AS(DataType::structured("1User", fields), Error);
}

TEST_CASE("short timestamps are milliseconds, longer ones nanoseconds") {
  CHECK(DataType::timestamp(3).physical() == PhysicalKind::kInt64);
  CHECK(DataType::timestamp(6).physical() == PhysicalKind::kInt128);
}

}  // namespace thalweg
