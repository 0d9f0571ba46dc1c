#include <numeric>
#include <regex>

#include <doctest/doctest.h>

#include "functions/evaluate.h"
#include "functions/state_records.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

namespace {

using expression::AggregateFunction;
using expression::BoundArgument;
using expression::Signature;

std::vector<std::string> split(const std::string& text) {
  static const std::regex kComma(", *");
  return text.empty() ? std::vector<std::string>()
                      : std::vector<std::string>(
                            std::sregex_token_iterator(text.begin(), text.end(), kComma, -1), {});
}

std::string joined(const Column& column) {
  std::string out;
  for (int32_t row = 0; row < column.size(); ++row) {
    out += row == 0 ? "" : ", ";
    text::append_value(out, column, row, text::Style::kCast, TimeZone::utc());
  }
  return out;
}

/// "LAG(x, 1) OVER (ORDER BY x) for x of 5, 7": a call of OVER with x, which is sorted, and
/// literals.
struct OverExample {
  OverExample(const AggregateFunction& called, const std::string& example) : function(called) {
    static const std::regex kForm("\\w+\\((.*)\\) OVER \\(ORDER BY x\\) for x of (.*)");
    std::smatch parts;
    REQUIRE(std::regex_match(example, parts, kForm));
    ColumnBuilder builder(DataType::integer());
    for (const std::string& value : split(parts[2])) {
      builder.append(static_cast<int32_t>(std::stoi(value)));
    }
    x = builder.finish();
    std::vector<BoundArgument> bound;
    const std::vector<std::string> written = split(parts[1]);
    for (const std::string& argument : written) {
      bound.push_back({DataType::integer().not_null()});
      if (argument != "x") {
        bound.back().literal = Value(int64_t{std::stoi(argument)});
      }
    }
    signature = std::get<Signature>(function.bind(bound));
    for (size_t i = 0; i < written.size(); ++i) {
      arguments.push_back(
          written[i] == "x"
              ? x
              : constant_column(signature.arguments[i], *bound[i].literal, x->size()));
    }
    if (function.takes_order) {
      arguments.push_back(x);
    }
  }

  std::string by_partition() const {
    std::vector<uint8_t> starts_peers;
    for (int32_t row = 0; row < x->size(); ++row) {
      starts_peers.push_back(
          static_cast<uint8_t>(row == 0 || x->at<int32_t>(row) != x->at<int32_t>(row - 1)));
    }
    ColumnBuilder results(signature.result);
    function.make_partition_kernel(signature, {})
        ->append_results({arguments, 0, x->size(), starts_peers}, results);
    return joined(*results.finish());
  }

  /// As in streaming mode, where it has a kernel for that.
  std::string row_by_row() const {
    const auto kernel = function.make_kernel(signature, {}, false);
    StateRecords records(kernel->accumulator(), 1);
    std::vector<int32_t> rows(static_cast<size_t>(x->size()));
    std::iota(rows.begin(), rows.end(), 0);
    const std::vector<std::byte*> places(rows.size(), records.all[0]);
    ColumnBuilder before(signature.result);
    ColumnBuilder after(signature.result);
    kernel->update_rows(
        {arguments, rows}, {}, {}, {places, records.offsets, records}, before, after);
    return joined(*after.finish());
  }

  const AggregateFunction& function;
  ColumnPtr x;
  Signature signature;
  std::vector<ColumnPtr> arguments;
};

}  // namespace

TEST_CASE("the examples in the reference are true") {
  for (const std::string& name : registry().names()) {
    const auto function = registry().find_scalar(name);
    if (function == nullptr) {
      continue;
    }
    for (const std::string& example : function->examples) {
      const size_t arrow = example.find(" -> ");
      REQUIRE(arrow != std::string::npos);
      const std::string expected = example.substr(arrow + 4);
      CHECK_MESSAGE(evaluate_sql(example.substr(0, arrow)) == expected,
                    example << "; got " << evaluate_sql(example.substr(0, arrow)));
    }
  }
}

TEST_CASE("the examples of functions of OVER are true, however they are computed") {
  int shown = 0;
  for (const std::string& name : registry().names()) {
    const auto function = registry().find_aggregate(name);
    if (function == nullptr || !function->is_over_only) {
      continue;
    }
    CHECK_MESSAGE(!function->examples.empty(), name);
    for (const std::string& example : function->examples) {
      const size_t arrow = example.find(" -> ");
      REQUIRE(arrow != std::string::npos);
      const OverExample call(*function, example.substr(0, arrow));
      CHECK_MESSAGE(call.by_partition() == example.substr(arrow + 4), example);
      if (function->make_kernel != nullptr) {
        CHECK_MESSAGE(call.row_by_row() == example.substr(arrow + 4), example);
      }
      ++shown;
    }
  }
  CHECK(shown >= 8);
}

TEST_CASE("every function says what it does") {
  for (const std::string& name : registry().names()) {
    const auto function = registry().find_scalar(name);
    if (function != nullptr) {
      CHECK_MESSAGE(!function->description.empty(), name);
      CHECK_MESSAGE(!function->forms.empty(), name);
    }
  }
}

}  // namespace thalweg::functions
