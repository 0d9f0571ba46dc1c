#include "thalweg/operators/changelog/changelog_normalize.h"

#include <random>

#include <doctest/doctest.h>

#include "operator_harness.h"

namespace thalweg::operators {

namespace {

// The key is not the first column.
const Schema kInput = {{"v", DataType::big_int()},
                       {"k", DataType::string().not_null()},
                       {"s", DataType::string().not_null()}};

ChangelogNormalizeSpec spec() {
  return {.input = kInput, .keys = {{1}}};
}

}  // namespace

TEST_CASE("an upsert stream gets its old rows back") {
  OperatorHarness normalize(make_changelog_normalize(spec()), kInput);
  normalize.feed({row(1, "a", "one"), row(2, "b", "two")});
  CHECK(normalize.take() == "+I(1, a, one)\n+I(2, b, two)\n");
  normalize.feed({row(kUpdateAfter, nullptr, "a", "a text longer than what lies inline")});
  CHECK(normalize.take() == "-U(1, a, one)\n+U(NULL, a, a text longer than what lies inline)\n");
  // A tombstone has only its key.
  normalize.feed({row(kDelete, nullptr, "a", ""), row(kDelete, nullptr, "unknown", "")});
  CHECK(normalize.take() == "-D(NULL, a, a text longer than what lies inline)\n");
  CHECK(normalize.state_size(0) == 1);
  normalize.feed({row(kUpdateAfter, 5, "a", "anew")});
  CHECK(normalize.take() == "+I(5, a, anew)\n");
}

TEST_CASE("a key's rows within one batch follow each other, between watermarks") {
  OperatorHarness normalize(make_changelog_normalize(spec()), kInput);
  normalize.feed({row(1, "a", "x"),
                  row(kUpdateAfter, 2, "a", "x"),
                  row(kUpdateAfter, 2, "a", "x"),
                  row(7, "b", "y"),
                  row(kDelete, nullptr, "a", ""),
                  row(kDelete, nullptr, "a", ""),
                  row(kUpdateAfter, 3, "a", "z")},
                 {{1, {5}}, {3, {6}}, {7, {7}}});
  CHECK(normalize.take() ==
        "+I(1, a, x)\nWM 5\n-U(1, a, x)\n+U(2, a, x)\nWM 6\n+I(7, b, y)\n-D(2, a, x)\n"
        "+I(3, a, z)\nWM 7\n");
  normalize.feed({row(kDelete, nullptr, "a", ""), row(kDelete, nullptr, "b", "")});
  CHECK(normalize.take() == "-D(3, a, z)\n-D(7, b, y)\n");
  CHECK(normalize.state_size(0) == 0);
}

TEST_CASE("an unchanged row sends nothing, with a time to live it sends its update") {
  OperatorHarness plain(make_changelog_normalize(spec()), kInput);
  plain.feed({row(nullptr, "a", "x")});
  plain.feed({row(kUpdateAfter, nullptr, "a", "x")}, {{1, {5}}});
  CHECK(plain.take() == "+I(NULL, a, x)\nWM 5\n");

  ChangelogNormalizeSpec with_ttl = spec();
  with_ttl.ttl_ms = 1000;
  with_ttl.generate_update_before = false;
  OperatorHarness expiring(make_changelog_normalize(with_ttl), kInput);
  expiring.feed({row(1, "a", "x")});
  expiring.set_time(900);
  expiring.feed({row(kUpdateAfter, 1, "a", "x")});
  expiring.set_time(1800);
  expiring.feed({row(kUpdateAfter, 2, "a", "x")});
  CHECK(expiring.take() == "+I(1, a, x)\n+U(1, a, x)\n+U(2, a, x)\n");
  expiring.set_time(2800);
  expiring.feed({row(kDelete, nullptr, "a", ""), row(kUpdateAfter, 3, "a", "x")});
  CHECK(expiring.take() == "+I(3, a, x)\n");
}

TEST_CASE("batches of any size give the same changes") {
  std::mt19937 random(7);
  std::vector<Row> rows;
  for (int i = 0; i < 2000; ++i) {
    const std::string key = std::to_string(random() % 17);
    const auto kind = random() % 4 == 0 ? kDelete : kUpdateAfter;
    rows.push_back(row(kind, static_cast<int>(random() % 3), key.c_str(), "s"));
  }
  OperatorHarness whole(make_changelog_normalize(spec()), kInput);
  OperatorHarness single(make_changelog_normalize(spec()), kInput);
  whole.feed(rows);
  for (const Row& one : rows) {
    single.feed({one});
  }
  CHECK(whole.take() == single.take());
}

}  // namespace thalweg::operators
