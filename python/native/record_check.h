#pragma once

#include <string_view>

#include <nanobind/nanobind.h>

namespace thalweg::binding {

/// Whether every record of a list has the shape already, so that nothing need be converted.
///
/// A shape is a letter: b, h, i, l (int of 1, 2, 4, 8 bytes), d (float), s (str), z (bool), o
/// (anything), or a tuple of shapes in parentheses: "(si)". None fits every shape.
bool has_shape(const nanobind::list& records, std::string_view shape);

}  // namespace thalweg::binding
