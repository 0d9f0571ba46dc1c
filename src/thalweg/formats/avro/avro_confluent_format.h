#pragma once

#include <functional>
#include <memory>

#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// Opens the schema registry that a format's options name; the connection is made at the first use.
/// Formats do no I/O, so the engine passes in the connectors' client.
using SchemaRegistryOpener =
    std::function<std::shared_ptr<stream::SchemaRegistry>(const stream::FormatContext& context)>;

/// 'format' = 'avro-confluent': a zero byte, the schema's id in four bytes, Avro's binary encoding.
std::unique_ptr<stream::FormatFactory> make_avro_confluent_format(
    SchemaRegistryOpener open_registry);

/// 'format' = 'avro': Avro's binary encoding by the schema of the table.
std::unique_ptr<stream::FormatFactory> make_avro_format();

}  // namespace thalweg::formats
