#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "handles.h"
#include "kafka_client.h"
#include "waiting.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

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

nb::object python_bytes(const std::optional<std::string_view>& value) {
  return value ? nb::object(nb::bytes(value->data(), value->size())) : nb::object(nb::none());
}

void produce(KafkaClient& self, const std::string& topic, nb::handle key, nb::handle value) {
  self.produce(topic, bytes_or_none(key), bytes_or_none(value));
}

int32_t flush(KafkaClient& self, int32_t timeout_ms) {
  int32_t left = 0;
  wait_until(timeout_ms, [&](int64_t ms) {
    left = self.flush(static_cast<int32_t>(ms));
    return left == 0;
  });
  return left;
}

void consume(KafkaClient& self,
             const std::string& topic,
             bool from_beginning,
             const nb::callable& on_message) {
  {
    const nb::gil_scoped_release release;
    self.subscribe(topic, from_beginning);
  }
  while (true) {
    std::optional<KafkaMessage> message;
    wait_until(-1, [&](int64_t ms) {
      message = self.poll(static_cast<int32_t>(ms));
      return message.has_value();
    });
    const nb::object go_on = on_message(message->partition,
                                        message->offset,
                                        message->timestamp_ms,
                                        python_bytes(message->key),
                                        python_bytes(message->value));
    if (!nb::cast<bool>(go_on)) {
      return;
    }
  }
}

nb::list describe_topic(KafkaClient& self, const std::string& name) {
  std::vector<PartitionInfo> partitions;
  {
    const nb::gil_scoped_release release;
    partitions = self.describe_topic(name);
  }
  nb::list result;
  for (const PartitionInfo& info : partitions) {
    result.append(nb::make_tuple(info.partition, info.leader, info.first_offset, info.next_offset));
  }
  return result;
}

}  // namespace

void bind_kafka_tools(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<KafkaClient>(module, "KafkaTools")
      .def(nb::init<std::map<std::string, std::string>>(), nb::arg("properties"))
      .def("create_topic", &KafkaClient::create_topic, Release())
      .def("delete_topic", &KafkaClient::delete_topic, Release())
      .def("topics", &KafkaClient::topics, Release())
      .def("describe_topic", &describe_topic)
      .def("produce", &produce, nb::arg("topic"), nb::arg("key").none(), nb::arg("value").none())
      .def("flush", &flush)
      .def("consume", &consume);
}

}  // namespace thalweg::binding
