#include "thalweg/planner/injective_cast.h"

#include <doctest/doctest.h>

namespace thalweg::planner {
namespace {

TEST_CASE("casts that keep different values different") {
  CHECK(is_injective_cast(DataType::character(3), DataType::string()));
  CHECK(is_injective_cast(DataType::varchar(3), DataType::varchar(3)));
  CHECK(is_injective_cast(DataType::small_int(), DataType::big_int()));
  CHECK(is_injective_cast(DataType::integer(), DataType::varchar(11)));
  CHECK(is_injective_cast(DataType::timestamp(3), DataType::varchar(23)));
  CHECK(is_injective_cast(DataType::timestamp(3), DataType::timestamp_ltz(3)));
  CHECK(is_injective_cast(DataType::varchar(2), DataType::varbinary(8)));
  CHECK(is_injective_cast(DataType::decimal(10, 2), DataType::decimal(10, 2)));
}

TEST_CASE("casts that may make different values equal") {
  CHECK_FALSE(is_injective_cast(DataType::varchar(4), DataType::varchar(3)));
  CHECK_FALSE(is_injective_cast(DataType::string(), DataType::integer()));
  CHECK_FALSE(is_injective_cast(DataType::big_int(), DataType::integer()));
  CHECK_FALSE(is_injective_cast(DataType::integer(), DataType::varchar(10)));
  CHECK_FALSE(is_injective_cast(DataType::integer(), DataType::float64()));
  CHECK_FALSE(is_injective_cast(DataType::timestamp(6), DataType::timestamp(3)));
  CHECK_FALSE(is_injective_cast(DataType::varchar(3), DataType::varbinary(8)));
  CHECK_FALSE(is_injective_cast(DataType::decimal(10, 2), DataType::decimal(12, 2)));
  CHECK_FALSE(is_injective_cast(DataType::decimal(10, 2), DataType::string()));
}

}  // namespace
}  // namespace thalweg::planner
