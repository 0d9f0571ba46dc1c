// Any bytes as an Avro record: no crash, and all columns stay equally long.
#include "thalweg/common/check.h"
#include "thalweg/formats/format_registry.h"
#include "thalweg/types/column_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using thalweg::DataType;
  static const thalweg::formats::FormatRegistry registry;
  const DataType row =
      DataType::row({{"p", DataType::integer()}, {"q", DataType::array(DataType::string())}});
  const thalweg::Schema schema = {{"i", DataType::integer()},
                                  {"l", DataType::big_int()},
                                  {"d", DataType::float64()},
                                  {"n", DataType::decimal(20, 5)},
                                  {"s", DataType::string()},
                                  {"b", DataType::boolean()},
                                  {"y", DataType::bytes()},
                                  {"t", DataType::timestamp(3)},
                                  {"r", row},
                                  {"m", DataType::map(DataType::string(), row)}};
  const auto decoder = registry.format("avro").create_decoder({.schema = schema});
  std::vector<thalweg::ColumnBuilder> builders = thalweg::make_builders(schema);
  const std::string_view record(reinterpret_cast<const char*>(data), size);
  decoder->decode({&record, 1}, builders, nullptr, nullptr);
  for (const thalweg::ColumnBuilder& builder : builders) {
    thalweg::check(builder.size() == builders[0].size(), "columns of different lengths");
  }
  return 0;
}
