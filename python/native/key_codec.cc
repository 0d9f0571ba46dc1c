#include "key_codec.h"

#include <algorithm>
#include <bit>

#include <datetime.h>
#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "thalweg/common/error.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

// The first byte of a key says what follows.
constexpr char kNone = 'n';
constexpr char kFalse = 'f';
constexpr char kTrue = 't';
constexpr char kInt = 'i';
constexpr char kFloat = 'd';
constexpr char kText = 's';
constexpr char kBytes = 'b';
constexpr char kTuple = '(';
constexpr char kList = '[';
constexpr char kRow = 'r';
/// Dates, times and decimals: a name, then the text from which it is made again.
constexpr char kOther = 'o';
constexpr char kEnd = '\0';
/// Behind a zero byte that belongs to a text.
constexpr char kEscaped = '\xff';

nb::object type_named(const char* module, const char* name) {
  return nb::module_::import_(module).attr(name);
}

/// Ends with two zero bytes; a zero inside is followed by kEscaped.
void append_text(std::string_view text, std::string& bytes) {
  size_t begin = 0;
  for (size_t zero = text.find('\0'); zero != std::string_view::npos;
       zero = text.find('\0', begin)) {
    bytes.append(text.substr(begin, zero - begin + 1));
    bytes += kEscaped;
    begin = zero + 1;
  }
  bytes.append(text.substr(begin));
  bytes += kEnd;
  bytes += kEnd;
}

std::string take_text(std::string_view& bytes) {
  std::string text;
  for (;;) {
    const size_t zero = bytes.find('\0');
    text.append(bytes.substr(0, zero));
    const char next = bytes[zero + 1];
    bytes.remove_prefix(zero + 2);
    if (next == kEnd) {
      return text;
    }
    text += '\0';
  }
}

/// A byte for sign and length, then the digits from the highest: negative ones as complement.
void append_int(PyObject* key, std::string& bytes) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(key, &overflow);
  if (overflow != 0) {
    // Beyond 64 bits: as its text, which orders among its own only.
    bytes += overflow > 0 ? '\xff' : '\x01';
    append_text(nb::cast<std::string>(nb::str(nb::handle(key))), bytes);
    return;
  }
  const auto digits = static_cast<uint64_t>(value < 0 ? ~value : value);
  const int count = (64 - std::countl_zero(digits) + 7) / 8;
  bytes += static_cast<char>(value < 0 ? 0x7f - count : 0x80 + count);
  for (int i = count - 1; i >= 0; --i) {
    const auto digit = static_cast<uint8_t>(digits >> (8 * i));
    bytes += static_cast<char>(value < 0 ? ~digit : digit);
  }
}

nb::object take_int(std::string_view& bytes) {
  const auto head = static_cast<uint8_t>(bytes[0]);
  bytes.remove_prefix(1);
  if (head == 0xff || head == 0x01) {
    return nb::steal(PyLong_FromString(take_text(bytes).c_str(), nullptr, 10));
  }
  const bool negative = head < 0x80;
  const size_t count = negative ? 0x7f - head : head - 0x80;
  uint64_t digits = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto digit = static_cast<uint8_t>(bytes[i]);
    digits = digits << 8U | static_cast<uint8_t>(negative ? ~digit : digit);
  }
  bytes.remove_prefix(count);
  const auto value = static_cast<int64_t>(digits);
  return nb::steal(PyLong_FromLongLong(negative ? ~value : value));
}

void append_float(double value, std::string& bytes) {
  auto bits = std::bit_cast<uint64_t>(value);
  bits = (bits >> 63U) != 0 ? ~bits : bits | (uint64_t{1} << 63U);
  for (int i = 7; i >= 0; --i) {
    bytes += static_cast<char>(bits >> (8 * i));
  }
}

nb::object take_float(std::string_view& bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i < 8; ++i) {
    bits = bits << 8U | static_cast<uint8_t>(bytes[i]);
  }
  bytes.remove_prefix(8);
  bits = (bits >> 63U) != 0 ? bits ^ (uint64_t{1} << 63U) : ~bits;
  return nb::steal(PyFloat_FromDouble(std::bit_cast<double>(bits)));
}

/// Objects that are told by a text, or false.
bool append_other(PyObject* key, std::string& bytes) {
  const auto append = [&bytes](std::string_view name, const nb::object& text) {
    bytes += kOther;
    append_text(name, bytes);
    append_text(nb::cast<std::string>(text), bytes);
    return true;
  };
  const nb::handle object(key);
  if (PyDateTimeAPI == nullptr) {
    PyDateTime_IMPORT;
  }
  if (PyDateTime_Check(key)) {
    return append("datetime", object.attr("isoformat")());
  }
  if (PyDate_Check(key)) {
    return append("date", object.attr("isoformat")());
  }
  if (PyTime_Check(key)) {
    return append("time", object.attr("isoformat")());
  }
  if (nb::isinstance(object, type_named("decimal", "Decimal"))) {
    return append("Decimal", nb::str(object));
  }
  return false;
}

nb::object take_other(std::string_view& bytes) {
  const std::string name = take_text(bytes);
  const std::string text = take_text(bytes);
  if (name == "Decimal") {
    return type_named("decimal", "Decimal")(text);
  }
  return type_named("datetime", name.c_str()).attr("fromisoformat")(text);
}

void append_row(PyObject* key, std::string& bytes) {
  const nb::handle row(key);
  bytes += kRow;
  for (const nb::handle item : nb::object(row.attr("_values"))) {
    encode_key(item.ptr(), bytes);
  }
  bytes += kEnd;
  const nb::object names = nb::getattr(row, "_fields", nb::none());
  if (names.is_none()) {
    bytes += kNone;
  } else {
    encode_key(nb::tuple(names).ptr(), bytes);
  }
}

nb::object take_key(std::string_view& bytes);

nb::list take_items(std::string_view& bytes) {
  nb::list items;
  while (bytes[0] != kEnd) {
    items.append(take_key(bytes));
  }
  bytes.remove_prefix(1);
  return items;
}

nb::object take_row(std::string_view& bytes) {
  const nb::list values = take_items(bytes);
  const nb::object names = take_key(bytes);
  const nb::object row = type_named("thalweg.common.types", "Row")(*nb::tuple(values));
  if (!names.is_none()) {
    row.attr("set_field_names")(nb::list(names));
  }
  return row;
}

nb::object take_key(std::string_view& bytes) {
  const char kind = bytes[0];
  bytes.remove_prefix(1);
  switch (kind) {
    case kNone:
      return nb::none();
    case kFalse:
      return nb::bool_(false);
    case kTrue:
      return nb::bool_(true);
    case kInt:
      return take_int(bytes);
    case kFloat:
      return take_float(bytes);
    case kText: {
      const std::string text = take_text(bytes);
      return nb::steal(
          PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
    }
    case kBytes: {
      const std::string text = take_text(bytes);
      return nb::bytes(text.data(), text.size());
    }
    case kTuple:
      return nb::tuple(take_items(bytes));
    case kList:
      return take_items(bytes);
    case kRow:
      return take_row(bytes);
    default:
      return take_other(bytes);
  }
}

void append_str(PyObject* key, std::string& bytes) {
  Py_ssize_t size = 0;
  bytes += kText;
  const char* data = PyUnicode_AsUTF8AndSize(key, &size);
  if (data != nullptr) {
    append_text({data, static_cast<size_t>(size)}, bytes);
    return;
  }
  // Lone surrogates have no UTF-8.
  PyErr_Clear();
  const nb::object encoded = nb::steal(PyUnicode_AsEncodedString(key, "utf-8", "surrogatepass"));
  append_text(
      {PyBytes_AS_STRING(encoded.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(encoded.ptr()))},
      bytes);
}

void append_sequence(char kind, PyObject* key, std::string& bytes) {
  bytes += kind;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(key);
  for (Py_ssize_t i = 0; i < size; ++i) {
    encode_key(PySequence_Fast_GET_ITEM(key, i), bytes);
  }
  bytes += kEnd;
}

void append_rare(PyObject* key, std::string& bytes) {
  if (nb::isinstance(nb::handle(key), type_named("thalweg.common.types", "Row"))) {
    append_row(key, bytes);
    return;
  }
  if (append_other(key, bytes)) {
    return;
  }
  if (PyIndex_Check(key) != 0) {
    // Integers of other libraries.
    bytes += kInt;
    append_int(nb::object(nb::steal(PyNumber_Index(key))).ptr(), bytes);
    return;
  }
  throw Error(
      ErrorCode::kPythonValue,
      fmt::format("A key must be None, bool, int, float, str, bytes, a date or time, a Decimal, or "
                  "a tuple, list or Row of those; this one is {} of {}",
                  nb::cast<std::string>(nb::repr(nb::handle(key))),
                  nb::cast<std::string>(nb::str(nb::handle(key).type()))))
      .hint("Let the key selector return such a value.");
}

}  // namespace

void encode_key(PyObject* key, std::string& bytes) {
  if (PyUnicode_Check(key)) {
    append_str(key, bytes);
  } else if (key == Py_None) {
    bytes += kNone;
  } else if (PyBool_Check(key)) {
    bytes += key == Py_True ? kTrue : kFalse;
  } else if (PyLong_Check(key)) {
    bytes += kInt;
    append_int(key, bytes);
  } else if (PyFloat_Check(key)) {
    bytes += kFloat;
    append_float(PyFloat_AS_DOUBLE(key), bytes);
  } else if (PyBytes_Check(key)) {
    bytes += kBytes;
    append_text({PyBytes_AS_STRING(key), static_cast<size_t>(PyBytes_GET_SIZE(key))}, bytes);
  } else if (PyByteArray_Check(key)) {
    bytes += kBytes;
    append_text({PyByteArray_AS_STRING(key), static_cast<size_t>(PyByteArray_GET_SIZE(key))},
                bytes);
  } else if (PyTuple_Check(key)) {
    append_sequence(kTuple, key, bytes);
  } else if (PyList_Check(key)) {
    append_sequence(kList, key, bytes);
  } else {
    append_rare(key, bytes);
  }
}

nb::object decode_key(std::string_view bytes) {
  return take_key(bytes);
}

}  // namespace thalweg::binding
