// Any bytes as a CSV file: no crash, and all columns stay equally long.
#include "fuzz/decode_any.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using thalweg::DataType;
  thalweg::fuzz::decode_any(
      "csv",
      {{"i", DataType::integer()},
       {"d", DataType::float64()},
       {"n", DataType::decimal(20, 5)},
       {"s", DataType::string()},
       {"t", DataType::timestamp(3)},
       {"a", DataType::array(DataType::integer())},
       {"r", DataType::row({{"p", DataType::integer()}, {"q", DataType::string()}})}},
      {reinterpret_cast<const char*>(data), size});
  return 0;
}
