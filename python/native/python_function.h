#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "thalweg/expression/function_registry.h"

namespace thalweg::binding {

/// A Python object that engine threads hold: released under the GIL, and not at all once the
/// interpreter has gone.
class SharedObject {
 public:
  explicit SharedObject(nanobind::object object) : object_(object.release().ptr()) {}

  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  nanobind::handle get() const { return object_; }

 private:
  PyObject* object_;
};

/// A Python function with its types, as `thalweg.table.udf` makes it.
struct FunctionHandle {
  std::string name;
  std::string kind;
  std::shared_ptr<const SharedObject> instance;
  std::string result_type;
  std::optional<std::vector<std::string>> argument_types;
  bool deterministic = true;
  bool vectorized = false;
  /// The name under which a call in an expression finds it; empty until then.
  std::string inline_name = {};
};

/// The Python functions of a process by upper-case name. The engine's registry has one entry for
/// each name, which asks here for the function of the moment. Used under the GIL.
class PythonFunctions {
 public:
  /// Makes `function` callable as `name`; takes the place of an earlier one. Throws when the name
  /// is the engine's own.
  void add(const std::string& name,
           const FunctionHandle& function,
           expression::FunctionRegistry& registry);
  /// Whether there was one.
  bool remove(const std::string& name);
  std::vector<std::string> names() const;
  /// The name of `function` for calls in expressions; adds it when needed.
  const std::string& inline_name(FunctionHandle& function, expression::FunctionRegistry& registry);

 private:
  using Functions = std::map<std::string, FunctionHandle>;

  std::shared_ptr<Functions> functions_ = std::make_shared<Functions>();
  int32_t next_inline_ = 0;
};

}  // namespace thalweg::binding
