#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "handles.h"
#include "thalweg/connectors/kafka/admin.h"
#include "waiting.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

namespace kafka = connectors::kafka;

/// What the command-line tools do with a Kafka broker: topics, produce, consume. Used by one Python
/// thread; waits without the GIL, and hears Ctrl-C meanwhile.
class KafkaTools {
 public:
  /// `properties` are those of Kafka's Java clients.
  explicit KafkaTools(std::map<std::string, std::string> properties)
      : properties_(std::move(properties)) {}

  KafkaTools(const KafkaTools&) = delete;
  KafkaTools& operator=(const KafkaTools&) = delete;

  kafka::ClientProperties properties(kafka::PropertyScope role) const {
    // Whoever gives a property by hand wants to know that it does nothing.
    kafka::ClientProperties result =
        kafka::translate_properties(properties_, role, [](const std::string& warning) {
          throw Error(ErrorCode::kInvalidOption, warning);
        });
    result.is_cancelled = [] {
      const nb::gil_scoped_acquire gil;
      return PyErr_CheckSignals() != 0;
    };
    return result;
  }

  kafka::Admin admin() const { return kafka::Admin(properties(kafka::PropertyScope::kConsumer)); }

  kafka::RecordSender& sender(const std::string& topic) {
    std::unique_ptr<kafka::RecordSender>& sender = senders_[topic];
    if (sender == nullptr) {
      sender =
          std::make_unique<kafka::RecordSender>(properties(kafka::PropertyScope::kProducer), topic);
    }
    return *sender;
  }

  /// Messages that are still not delivered after `timeout_ms`.
  int32_t flush(int32_t timeout_ms) {
    int32_t left = 0;
    for (const auto& [topic, sender] : senders_) {
      left += sender->flush(timeout_ms);
    }
    return left;
  }

 private:
  std::map<std::string, std::string> properties_;
  std::map<std::string, std::unique_ptr<kafka::RecordSender>> senders_;
};

/// Runs `work` without the GIL; throws what a signal handler or a callback raised meanwhile.
template <typename Work>
auto without_gil(const Work& work) {
  try {
    const nb::gil_scoped_release release;
    return work();
  } catch (const Error&) {
    if (PyErr_Occurred() != nullptr) {
      throw nb::python_error();
    }
    throw;
  }
}

std::optional<std::string_view> bytes_or_none(nb::handle value) {
  if (value.is_none()) {
    return std::nullopt;
  }
  if (!PyBytes_Check(value.ptr())) {
    throw nb::type_error("bytes or None are needed");
  }
  return std::string_view(PyBytes_AS_STRING(value.ptr()),
                          static_cast<size_t>(PyBytes_GET_SIZE(value.ptr())));
}

nb::object python_bytes(const std::optional<std::string>& value) {
  return value ? nb::object(nb::bytes(value->data(), value->size())) : nb::object(nb::none());
}

void create_topic(const KafkaTools& self,
                  const std::string& name,
                  int32_t partitions,
                  const std::map<std::string, std::string>& configuration) {
  without_gil([&] {
    self.admin().create_topic(
        {.name = name, .partition_count = partitions, .configuration = configuration});
  });
}

void delete_topic(const KafkaTools& self, const std::string& name) {
  without_gil([&] { self.admin().delete_topic(name); });
}

/// [(name, number of partitions)]
std::vector<std::pair<std::string, int32_t>> topics(const KafkaTools& self) {
  std::vector<std::pair<std::string, int32_t>> result;
  for (const kafka::TopicInfo& topic : without_gil([&] { return self.admin().list_topics(); })) {
    result.emplace_back(topic.name, topic.partition_count);
  }
  return result;
}

/// [(partition, leader, first offset, next offset)]
nb::list describe_topic(const KafkaTools& self, const std::string& name) {
  nb::list result;
  for (const auto& one : without_gil([&] { return self.admin().describe_topic(name); })) {
    result.append(nb::make_tuple(one.partition, one.leader, one.first_offset, one.end_offset));
  }
  return result;
}

void produce(KafkaTools& self, const std::string& topic, nb::handle key, nb::handle value) {
  const auto key_bytes = bytes_or_none(key);
  const auto value_bytes = bytes_or_none(value);
  without_gil([&] { self.sender(topic).send(key_bytes, value_bytes); });
}

int32_t flush(KafkaTools& self, int32_t timeout_ms) {
  int32_t left = 0;
  wait_until(timeout_ms, [&](int64_t ms) {
    left = self.flush(static_cast<int32_t>(ms));
    return left == 0;
  });
  return left;
}

void consume(const KafkaTools& self,
             const std::string& topic,
             bool from_beginning,
             const nb::callable& on_message) {
  const auto on_record = [&](const kafka::RawRecord& record) {
    const nb::gil_scoped_acquire gil;
    return nb::cast<bool>(on_message(record.partition.partition,
                                     record.offset,
                                     record.timestamp_ms,
                                     python_bytes(record.key),
                                     python_bytes(record.value)));
  };
  without_gil([&] {
    const kafka::ClientProperties properties = self.properties(kafka::PropertyScope::kConsumer);
    kafka::consume(properties,
                   {.topic = topic, .from_beginning = from_beginning},
                   on_record,
                   properties.is_cancelled);
  });
  if (PyErr_Occurred() != nullptr) {
    throw nb::python_error();
  }
}

}  // namespace

void bind_kafka_tools(nb::module_& module) {
  nb::class_<KafkaTools>(module, "KafkaTools")
      .def(nb::init<std::map<std::string, std::string>>(), nb::arg("properties"))
      .def("create_topic", &create_topic)
      .def("delete_topic", &delete_topic)
      .def("topics", &topics)
      .def("describe_topic", &describe_topic)
      .def("produce", &produce, nb::arg("topic"), nb::arg("key").none(), nb::arg("value").none())
      .def("flush", &flush)
      .def("consume", &consume);
}

}  // namespace thalweg::binding
