#include "thalweg/connectors/kafka/record_encoder.h"

namespace thalweg::connectors::kafka {

RecordEncoder::RecordEncoder(SinkLayout layout,
                             std::unique_ptr<stream::Encoder> key,
                             std::unique_ptr<stream::Encoder> value)
    : layout_(std::move(layout)), key_encoder_(std::move(key)), value_encoder_(std::move(value)) {}

void RecordEncoder::Encoded::encode(stream::Encoder& encoder,
                                    const Batch& batch,
                                    const std::vector<size_t>& columns) {
  std::vector<ColumnPtr> chosen;
  chosen.reserve(columns.size());
  for (const size_t column : columns) {
    chosen.push_back(batch.column_ptr(column));
  }
  bytes.clear();
  ends.clear();
  encoder.encode(batch.with_columns(std::move(chosen)), bytes, ends);
}

std::string_view RecordEncoder::Encoded::record(int32_t row) const {
  const auto index = static_cast<size_t>(row);
  const size_t begin = index == 0 ? 0 : ends[index - 1];
  return std::string_view(bytes).substr(begin, ends[index] - begin);
}

void RecordEncoder::encode(const Batch& batch) {
  batch_ = batch;
  if (key_encoder_ != nullptr) {
    keys_.encode(*key_encoder_, batch, layout_.key_columns);
  }
  values_.encode(*value_encoder_, batch, layout_.value_columns);
}

bool RecordEncoder::is_sent(int32_t row) const {
  return !layout_.upsert || batch_.kind(row) != RowKind::kUpdateBefore;
}

void RecordEncoder::fill(int32_t row, OutgoingRecord& record) const {
  record.key.reset();
  record.value.reset();
  record.timestamp_ms.reset();
  record.headers.clear();
  const bool no_key = key_encoder_ == nullptr ||
                      (layout_.null_key && batch_.column(layout_.key_columns[0]).is_null(row));
  if (!no_key) {
    record.key = keys_.record(row);
  }
  const bool no_value =
      (layout_.null_value && batch_.column(layout_.value_columns[0]).is_null(row)) ||
      (layout_.upsert && batch_.kind(row) == RowKind::kDelete);
  if (!no_value) {
    record.value = values_.record(row);
  }
  if (layout_.timestamp_column && !batch_.column(*layout_.timestamp_column).is_null(row)) {
    record.timestamp_ms = batch_.column(*layout_.timestamp_column).at<int64_t>(row);
  }
  if (layout_.headers_column) {
    fill_headers(row, record);
  }
}

void RecordEncoder::fill_headers(int32_t row, OutgoingRecord& record) const {
  const Column& headers = batch_.column(*layout_.headers_column);
  if (headers.is_null(row)) {
    return;
  }
  const Column& names = *headers.child(0);
  const Column& values = *headers.child(1);
  for (int32_t i = headers.list_begin(row); i < headers.list_end(row); ++i) {
    if (!names.is_null(i)) {
      record.headers.emplace_back(
          names.string_at(i),
          values.is_null(i) ? std::nullopt : std::optional(values.string_at(i)));
    }
  }
}

std::optional<std::string_view> RecordEncoder::topic(int32_t row) const {
  if (!layout_.topic_column || batch_.column(*layout_.topic_column).is_null(row)) {
    return std::nullopt;
  }
  return batch_.column(*layout_.topic_column).string_at(row);
}

}  // namespace thalweg::connectors::kafka
