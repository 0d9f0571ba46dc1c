#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// Values of type BITMAP as bytes: Roaring's portable format (its RoaringFormatSpec), which Java's
/// RoaringBitmap reads and writes too. A set of unsigned 32-bit integers is cut into containers of
/// the 65536 values with one upper half; a container is an array, a bitset or a list of runs.
///
/// Every value in a column is in canonical form: each container in the form that Java chooses, so
/// equal sets have equal bytes.
namespace thalweg::bitmap {

/// The canonical form of a bitmap that came from outside; nullopt when the bytes are none. Bytes
/// behind the bitmap are ignored, as Java does.
std::optional<std::string> from_untrusted(std::string_view bytes);

/// Brings the bytes of a well-formed bitmap to canonical form.
void make_canonical(std::string& bytes);

/// Called with runs of consecutive values, in order; false ends the visit.
using RunVisitor = std::function<bool(uint32_t first, uint32_t last)>;

void visit_runs(std::string_view bitmap, const RunVisitor& visit);

int64_t cardinality(std::string_view bitmap);

/// "{1,2,4294967295}", and "...}" where Java's RoaringBitmap.toString stops.
void append_text(std::string& out, std::string_view bitmap);

}  // namespace thalweg::bitmap
