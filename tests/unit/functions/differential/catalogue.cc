#include "functions/differential/catalogue.h"

#include "functions/differential/values.h"
#include "functions/evaluate.h"

namespace thalweg::functions::differential {

using expression::BoundArgument;
using expression::ScalarFunction;
using expression::Signature;

namespace {

/// Units, sides, formats, paths and names of fields, which some functions take as literals only.
constexpr const char* kWords[] = {
    "DAY", "HOUR", "MONTH", "SECOND", "MILLISECOND", "BOTH", "LEADING", "$.a", "yyyy-MM-dd", "f0"};

/// What has a syntax of its own. A column stands for any expression of its type.
constexpr const char* kTemplates[] = {
    "c3 BETWEEN c3_nn AND 10",
    "c10 IN ('a', 'abc', '12')",
    "c3 NOT IN (1, 2, 3, 50)",
    "c4 IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)",
    "CASE c3 WHEN 1 THEN c10 WHEN 2 THEN c10_nn ELSE 'other' END",
    "NULLIF(c3, c3_nn)",
    "c10 LIKE 'a%'",
    "c10 LIKE '%e%'",
    "c10 LIKE '%,fig'",
    "c10 LIKE 'a!_%' ESCAPE '!'",
    "c10 NOT LIKE c10_nn",
    "c10 SIMILAR TO '(a|b)%'",
    "TRIM(LEADING ' ' FROM c10)",
    "TRIM(BOTH c10_nn FROM c10)",
    "POSITION(c10 IN c10_nn)",
    "OVERLAY(c10 PLACING c10_nn FROM c3 FOR 2)",
    "SUBSTRING(c10 FROM c3 FOR 4)",
    "EXTRACT(YEAR FROM c14)",
    "EXTRACT(WEEK FROM c16)",
    "EXTRACT(EPOCH FROM c18)",
    "EXTRACT(MICROSECOND FROM c17)",
    "EXTRACT(DOY FROM c16)",
    "FLOOR(c16 TO MONTH)",
    "FLOOR(c18 TO HOUR)",
    "CEIL(c17 TO MINUTE)",
    "CEIL(c14 TO QUARTER)",
    "FLOOR(c14 TO WEEK)",
    "TIMESTAMPADD(MONTH, c1, c16)",
    "TIMESTAMPADD(SECOND, c1, c18)",
    "TIMESTAMPDIFF(QUARTER, c16, c16_nn)",
    "TIMESTAMPDIFF(SECOND, c17, c17_nn)",
    "c16 + c19",
    "c17 - c19",
    "c14 + c20",
    "c16 - c20",
    "c18 + INTERVAL '1' DAY",
    "(c16, c16_nn) OVERLAPS (c16_nn, c19)",
    "DATE_FORMAT(c16, 'yyyy-MM-dd''T''HH:mm:ss.SSS')",
    "DATE_FORMAT(c18, 'EEE, d MMM yyyy h:mm a')",
    "TO_TIMESTAMP(c10, 'yyyy-MM-dd HH:mm:ss')",
    "TO_DATE(c10, 'yyyy-MM-dd')",
    "REGEXP_REPLACE(c10, '([a-z])([0-9])', '$2$1')",
    "REGEXP_EXTRACT(c10, '(\\w+),(\\w*)', 2)",
    "SPLIT_INDEX(c10, ',', c3)",
    "STR_TO_MAP(c10, ',', '=')",
    "PRINTF('%5d|%-5s|%x', c3, c10, c4)",
    "c21[c3]",
    "c22[1]",
    "c23[c10]",
    "c23['a']",
    "c24.f0",
    "c24.f1",
    "CARDINALITY(c23)",
    "ARRAY[c3, c3_nn, 7]",
    "MAP[c10, c3, 'x', 1]",
    "ROW(c3, c10)",
    "ROUND(c7, 1)",
    "ROUND(c6, 2)",
    "TRUNCATE(c8, 4)",
    "JSON_VALUE(c10, '$.a')",
    "JSON_VALUE(c10, 'lax $.b[1]' RETURNING DOUBLE DEFAULT 1.5 ON EMPTY)",
    "JSON_VALUE(c10, 'strict $.a' RETURNING INT NULL ON EMPTY DEFAULT -1 ON ERROR)",
    "JSON_VALUE(c10, '$.a' ERROR ON EMPTY ERROR ON ERROR)",
    "JSON_QUERY(c10, '$.b' WITH CONDITIONAL ARRAY WRAPPER)",
    "JSON_QUERY(c10, '$' EMPTY ARRAY ON ERROR)",
    "JSON_EXISTS(c10, 'strict $.a' TRUE ON ERROR)",
    "JSON_OBJECT(KEY 'k' VALUE c3, KEY 'l' VALUE c10 ABSENT ON NULL)",
    "JSON_ARRAY(c3, c10 NULL ON NULL)",
    "c10 IS JSON OBJECT",
    "c10 IS NOT JSON SCALAR",
    "CAST(c21 AS ARRAY<STRING>)",
    "CAST(c23 AS MAP<STRING, BIGINT>)",
    "CAST(c24 AS ROW<a BIGINT, b STRING>)",
    // Decimals at their limits.
    "c25 + c25_nn",
    "c25 - c26",
    "c25 * c26",
    "c25 / c27",
    "c26 * c26_nn",
    "c26 + c27",
    "c8 / c8_nn",
    "c9 * c9_nn",
    "MOD(c25, c8)",
    "ROUND(c25, -3)",
    "CEIL(c26)",
    "ABS(c25)",
    "-c26",
    "CAST(c25 * c25_nn AS DECIMAL(38, 10))",
    // What must not be computed where it is not reached.
    "CASE WHEN c10 IS NOT NULL AND CAST(c10 AS INT) > 3 THEN c3 ELSE 1 / c3_nn END",
    "CASE WHEN c3 <> 0 THEN c4 / c3 ELSE CAST(c10 AS BIGINT) END",
    "c3 = 0 OR c4 / c3 > 1",
    "c3 <> 0 AND MOD(c4, c3) = 1",
    "IF(c3 = 0, c4, c4 / c3)",
    "COALESCE(TRY_CAST(c10 AS INT), c3 / c1)",
    "COALESCE(TRY_CAST(c10 AS DECIMAL(5, 3)), c7 / c27)",
    "COALESCE(TRY_CAST(c10 AS TIMESTAMP(3)), CAST(c12 AS TIMESTAMP(3)))",
    "TRY_CAST(c22 AS ARRAY<INT>)",
    // Patterns.
    "REGEXP(c10, '^[a-z]+\\d*$')",
    "REGEXP_COUNT(c10, '[a-z]{2}')",
    "REGEXP_INSTR(c10, '(?i)B')",
    "REGEXP_SUBSTR(c10, '\\d+(\\.\\d+)?')",
    "REGEXP_EXTRACT_ALL(c10, '([a-z])([0-9]?)', 1)",
    "REGEXP_REPLACE(c10, '(?<x>\\w)\\W', '${x}_')",
    "c10 SIMILAR TO '[a-z]+_?%'",
    // Times.
    "EXTRACT(QUARTER FROM c17)",
    "EXTRACT(ISOYEAR FROM c14)",
    "EXTRACT(ISODOW FROM c16)",
    "EXTRACT(MONTH FROM c16)",
    "EXTRACT(DAY FROM c16)",
    "EXTRACT(YEAR FROM c16)",
    "EXTRACT(YEAR FROM c18)",
    "EXTRACT(EPOCH FROM c16)",
    "EXTRACT(DECADE FROM c16)",
    "EXTRACT(CENTURY FROM c16)",
    "EXTRACT(MILLENNIUM FROM c17)",
    "EXTRACT(MINUTE FROM c15)",
    "EXTRACT(SECOND FROM c19)",
    "EXTRACT(MONTH FROM c20)",
    "FLOOR(c16 TO SECOND)",
    "FLOOR(c16 TO DAY)",
    "FLOOR(c16 TO WEEK)",
    "FLOOR(c16 TO YEAR)",
    "FLOOR(c17 TO MILLISECOND)",
    "FLOOR(c14 TO MILLENNIUM)",
    "CEIL(c16 TO HOUR)",
    "CEIL(c16 TO MONTH)",
    "CEIL(c18 TO DAY)",
    "TIMESTAMPADD(YEAR, c3, c16)",
    "TIMESTAMPADD(DAY, c3, c14)",
    "TIMESTAMPDIFF(MONTH, c16, c17)",
    "TIMESTAMPDIFF(DAY, c14, c16)",
    "c18 + INTERVAL '1' MONTH",
    "DATE_FORMAT(c16, 'yyyyMMdd HHmm')",
    "DATE_FORMAT(c17, 'uu/M/d SSSSSS')",
    "TO_TIMESTAMP(c10, 'yyyy-MM-dd')",
    "CONVERT_TZ(c10, 'UTC', 'Asia/Kolkata')",
    "UNIX_TIMESTAMP(c10)",
    "FROM_UNIXTIME(c4)",
    // Types in types.
    "c30[1][c3]",
    "c31[1].b",
    "c31[c3].a",
    "c32[c3]",
    "ROW(c30, c31)",
    "ARRAY[c30[1], c30[2]]",
    "CAST(c30 AS ARRAY<ARRAY<STRING>>)",
    "CAST(c31 AS ARRAY<ROW<x STRING, y INT>>)",
    "CAST(c32 AS MAP<STRING, ARRAY<STRING>>)",
};

/// Most functions take no more than a few types; pairs and longer lists are made of these.
std::vector<Slot> pair_slots() {
  std::vector<Slot> slots;
  for (const DataType& type : sample_types()) {
    const bool is_plain = type.kind() != TypeKind::kTinyInt && type.kind() != TypeKind::kSmallInt &&
                          type.kind() != TypeKind::kChar && type.length() != 5;
    if (is_plain) {
      slots.push_back({type});
    }
  }
  return slots;
}

std::vector<Slot> core_slots() {
  return {{DataType::integer()},
          {DataType::string()},
          {DataType::timestamp(3)},
          {DataType::boolean()},
          {DataType::array(DataType::integer())}};
}

Slot word_slot(const char* word) {
  const auto length = static_cast<int32_t>(std::string_view(word).size());
  return {DataType::character(length).not_null(), Value(std::string(word))};
}

/// The result's type when the function takes these arguments.
std::optional<DataType> result_of(const ScalarFunction& function, const std::vector<Slot>& slots) {
  std::vector<BoundArgument> arguments;
  arguments.reserve(slots.size());
  for (const Slot& slot : slots) {
    arguments.push_back({slot.type, slot.literal});
  }
  try {
    const auto bound = function.bind(arguments);
    const auto* signature = std::get_if<Signature>(&bound);
    return signature == nullptr ? std::nullopt : std::optional(signature->result);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// All lists of `length` slots, `first` standing in front of each.
void add_lists(const std::vector<Slot>& slots,
               size_t length,
               const std::vector<Slot>& first,
               std::vector<std::vector<Slot>>& lists) {
  if (first.size() == length) {
    lists.push_back(first);
    return;
  }
  for (const Slot& slot : slots) {
    std::vector<Slot> longer = first;
    longer.push_back(slot);
    add_lists(slots, length, longer, lists);
  }
}

std::vector<std::vector<Slot>> candidate_lists() {
  std::vector<std::vector<Slot>> lists = {{}};
  for (const DataType& type : sample_types()) {
    lists.push_back({{type}});
  }
  add_lists(pair_slots(), 2, {}, lists);
  for (const char* word : kWords) {
    for (const Slot& slot : pair_slots()) {
      lists.push_back({word_slot(word), slot});
      lists.push_back({slot, word_slot(word)});
      lists.push_back({word_slot(word), {DataType::integer()}, slot});
      lists.push_back({word_slot(word), slot, slot});
    }
  }
  add_lists(core_slots(), 3, {}, lists);
  add_lists({{DataType::integer()}, {DataType::string()}}, 4, {}, lists);
  return lists;
}

}  // namespace

Catalogue::Catalogue() {
  for (const std::string& name : registry().names()) {
    const auto function = registry().find_scalar(name);
    if (function != nullptr && function->name() == name && function->is_deterministic) {
      discover(function);
    }
  }
  for (const char* sql : kTemplates) {
    templates_.push_back(bind_sql(sql, sample_schema()));
  }
}

void Catalogue::discover(const std::shared_ptr<const ScalarFunction>& function) {
  static const std::vector<std::vector<Slot>> lists = candidate_lists();
  std::vector<Form> forms;
  for (const std::vector<Slot>& slots : lists) {
    if (const auto result = result_of(*function, slots)) {
      forms.push_back({function, slots});
      by_result_[result->kind()].push_back(forms.back());
    }
  }
  if (!forms.empty()) {
    functions_.push_back(std::move(forms));
  }
}

const std::vector<Form>* Catalogue::giving(TypeKind kind) const {
  const auto found = by_result_.find(kind);
  return found == by_result_.end() ? nullptr : &found->second;
}

}  // namespace thalweg::functions::differential
