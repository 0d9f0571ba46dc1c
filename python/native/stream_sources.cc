#include "stream_sources.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "python_objects.h"
#include "stream_shape.h"
#include "thalweg/connectors/values/values_source.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

Batch batch_of(const std::vector<PyObject*>& handles) {
  const auto rows = static_cast<int32_t>(handles.size());
  auto times = Column::make_constant(DataType::big_int().not_null(), rows);
  times->mutable_values<int64_t>()[0] = kNoTimestamp;
  return {rows, {object_column(handles), times}};
}

/// A part of the sequence: what is left of it.
struct Part {
  std::string id;
  int64_t next = 0;
  int64_t last = 0;
};

class SequenceReader final : public stream::SourceReader {
 public:
  void open(stream::ReaderContext& context) override { context_ = &context; }

  void add_splits(std::vector<stream::Split> splits) override {
    for (const stream::Split& split : splits) {
      const size_t colon = split.position.find(':');
      parts_.push_back({split.id,
                        std::stoll(split.position.substr(0, colon)),
                        std::stoll(split.position.substr(colon + 1))});
    }
  }

  void no_more_splits() override { complete_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    while (!parts_.empty() && parts_.front().next > parts_.front().last) {
      context_->split_ended(parts_.front().id);
      parts_.pop_front();
    }
    if (parts_.empty()) {
      return {.kind =
                  complete_ ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
    }
    Part& part = parts_.front();
    return {.kind = stream::PollResult::Kind::kBatch,
            .batch = take(part),
            .split = std::make_shared<const std::string>(part.id)};
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> splits;
    for (const Part& part : parts_) {
      if (part.next <= part.last) {
        splits.push_back({part.id, fmt::format("{}:{}", part.next, part.last)});
      }
    }
    return splits;
  }

 private:
  static Batch take(Part& part) {
    const nb::gil_scoped_acquire gil;
    std::vector<PyObject*> numbers;
    while (part.next <= part.last && numbers.size() < kTargetBatchRows) {
      numbers.push_back(PyLong_FromLongLong(part.next++));
    }
    return batch_of(numbers);
  }

  stream::ReaderContext* context_ = nullptr;
  std::deque<Part> parts_;
  bool complete_ = false;
};

class SequenceSource final : public stream::TableSource {
 public:
  SequenceSource(int64_t first, int64_t last, int32_t splits)
      : first_(first), last_(last), splits_(splits) {}

  stream::Boundedness boundedness() const override { return stream::Boundedness::kBounded; }

  std::vector<stream::Split> discover_splits() override {
    std::vector<stream::Split> splits;
    const int64_t count = last_ - first_ + 1;
    for (int32_t i = 0; i < splits_; ++i) {
      const int64_t begin = first_ + count * i / splits_;
      const int64_t end = first_ + count * (i + 1) / splits_;
      if (begin < end) {
        splits.push_back({std::to_string(i), fmt::format("{}:{}", begin, end - 1)});
      }
    }
    return splits;
  }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<SequenceReader>();
  }

 private:
  int64_t first_;
  int64_t last_;
  int32_t splits_;
};

}  // namespace

std::shared_ptr<stream::TableSource> make_collection_source(const nb::list& records) {
  std::vector<Batch> batches;
  std::vector<PyObject*> handles;
  const size_t count = nb::len(records);
  for (size_t i = 0; i < count; ++i) {
    handles.push_back(Py_NewRef(PyList_GET_ITEM(records.ptr(), static_cast<Py_ssize_t>(i))));
    if (handles.size() == kTargetBatchRows || i + 1 == count) {
      batches.push_back(batch_of(handles));
      handles.clear();
    }
  }
  return connectors::make_values_source(std::move(batches));
}

std::shared_ptr<stream::TableSource> make_sequence_source(int64_t first,
                                                          int64_t last,
                                                          int32_t splits) {
  return std::make_shared<SequenceSource>(first, last, splits);
}

}  // namespace thalweg::binding
