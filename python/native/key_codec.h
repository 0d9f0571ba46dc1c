#pragma once

#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

namespace thalweg::binding {

/// Appends the canonical bytes of a key: None, bool, int, float, str, bytes, dates and times,
/// decimals, and tuples, lists and Rows of those. Equal keys have equal bytes in every process; the
/// bytes order as the keys of one type do. Throws kPythonValue for other objects. Holds the GIL.
void encode_key(PyObject* key, std::string& bytes);

/// The key that `encode_key` wrote. Holds the GIL.
nanobind::object decode_key(std::string_view bytes);

}  // namespace thalweg::binding
