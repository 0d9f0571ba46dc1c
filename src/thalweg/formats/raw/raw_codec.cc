#include "thalweg/formats/raw/raw_codec.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/raw/charset.h"
#include "thalweg/types/column.h"

namespace thalweg::formats {

namespace {

/// The bytes of a number in the machine's order, or turned round.
template <typename T>
T load(const char* bytes, bool little_endian) {
  T value{};
  char ordered[sizeof(T)];
  for (size_t i = 0; i < sizeof(T); ++i) {
    ordered[i] = little_endian ? bytes[i] : bytes[sizeof(T) - 1 - i];
  }
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(&value, ordered, sizeof(T));
  return value;
}

template <typename T>
void store(std::string& out, T value, bool little_endian) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (size_t i = 0; i < sizeof(T); ++i) {
    out += little_endian ? bytes[i] : bytes[sizeof(T) - 1 - i];
  }
}

class RawDecoder final : public stream::Decoder {
 public:
  RawDecoder(DataType type, const RawOptions& options)
      : type_(std::move(type)), little_endian_(options.little_endian), charset_(options.charset) {}

  stream::DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) override {
    static_cast<void>(kinds);
    stream::DecodeResult result;
    for (const std::string_view record : records) {
      if (!builders.empty() && !append(record, builders[0])) {
        result.failure = Error(ErrorCode::kBadRecord,
                               fmt::format("Size of data received for deserializing {} type is "
                                           "not {}: {} bytes.",
                                           type_.to_string(),
                                           width_of(type_.physical()),
                                           record.size()));
        return result;
      }
      ++result.records;
      if (rows_per_record != nullptr) {
        rows_per_record->push_back(1);
      }
    }
    return result;
  }

 private:
  template <typename T>
  bool append_number(std::string_view record, ColumnBuilder& builder) const {
    if (record.size() != sizeof(T)) {
      return false;
    }
    builder.append(load<T>(record.data(), little_endian_));
    return true;
  }

  bool append(std::string_view record, ColumnBuilder& builder) {
    switch (type_.kind()) {
      case TypeKind::kChar:
      case TypeKind::kVarChar:
        text_.clear();
        charset_.append_decoded(text_, record);
        builder.append_string(text_);
        return true;
      case TypeKind::kBinary:
      case TypeKind::kVarBinary:
        builder.append_string(record);
        return true;
      case TypeKind::kBoolean:
        if (record.size() != 1) {
          return false;
        }
        builder.append(static_cast<uint8_t>(record[0] != 0 ? 1 : 0));
        return true;
      case TypeKind::kTinyInt:
        return append_number<int8_t>(record, builder);
      case TypeKind::kSmallInt:
        return append_number<int16_t>(record, builder);
      case TypeKind::kInt:
        return append_number<int32_t>(record, builder);
      case TypeKind::kBigInt:
        return append_number<int64_t>(record, builder);
      case TypeKind::kFloat:
        return append_number<float>(record, builder);
      default:
        return append_number<double>(record, builder);
    }
  }

  DataType type_;
  bool little_endian_;
  Charset charset_;
  std::string text_;
};

class RawEncoder final : public stream::Encoder {
 public:
  RawEncoder(DataType type, const RawOptions& options)
      : type_(std::move(type)), little_endian_(options.little_endian), charset_(options.charset) {}

  void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) override {
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      if (!batch.column(0).is_null(row)) {
        append(bytes, batch.column(0), row);
      }
      ends.push_back(bytes.size());
    }
  }

 private:
  void append(std::string& out, const Column& column, int32_t row) {
    switch (type_.kind()) {
      case TypeKind::kChar:
      case TypeKind::kVarChar:
        charset_.append_encoded(out, column.string_at(row));
        return;
      case TypeKind::kBinary:
      case TypeKind::kVarBinary:
        out += column.string_at(row);
        return;
      case TypeKind::kBoolean:
        out += static_cast<char>(column.at<uint8_t>(row));
        return;
      case TypeKind::kTinyInt:
        store(out, column.at<int8_t>(row), little_endian_);
        return;
      case TypeKind::kSmallInt:
        store(out, column.at<int16_t>(row), little_endian_);
        return;
      case TypeKind::kInt:
        store(out, column.at<int32_t>(row), little_endian_);
        return;
      case TypeKind::kBigInt:
        store(out, column.at<int64_t>(row), little_endian_);
        return;
      case TypeKind::kFloat:
        store(out, column.at<float>(row), little_endian_);
        return;
      default:
        store(out, column.at<double>(row), little_endian_);
    }
  }

  DataType type_;
  bool little_endian_;
  Charset charset_;
};

}  // namespace

std::unique_ptr<stream::Decoder> make_raw_decoder(const DataType& type, const RawOptions& options) {
  return std::make_unique<RawDecoder>(type, options);
}

std::unique_ptr<stream::Encoder> make_raw_encoder(const DataType& type, const RawOptions& options) {
  return std::make_unique<RawEncoder>(type, options);
}

}  // namespace thalweg::formats
