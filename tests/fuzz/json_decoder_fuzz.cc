// Any bytes as a JSON record: no crash, and all columns stay equally long.
#include "fuzz/decode_any.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using thalweg::DataType;
  const DataType row =
      DataType::row({{"p", DataType::integer()}, {"q", DataType::array(DataType::string())}});
  thalweg::fuzz::decode_any("json",
                            {{"i", DataType::integer()},
                             {"l", DataType::big_int()},
                             {"d", DataType::float64()},
                             {"f", DataType::float32()},
                             {"n", DataType::decimal(20, 5)},
                             {"s", DataType::string()},
                             {"b", DataType::boolean()},
                             {"y", DataType::bytes()},
                             {"t", DataType::timestamp(3)},
                             {"z", DataType::timestamp_ltz(9)},
                             {"r", row},
                             {"m", DataType::map(DataType::string(), row)}},
                            {reinterpret_cast<const char*>(data), size});
  return 0;
}
