#pragma once

#include <cstdint>
#include <memory>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// WATERMARK FOR rowtime AS expression.
struct WatermarkSpec {
  ColumnIndex rowtime;
  /// Of type TIMESTAMP(3) or TIMESTAMP_LTZ(3); NULL leaves the watermark where it is.
  expression::ExpressionPtr watermark;
  /// pipeline.auto-watermark-interval: how far event time must move, and how often the clock sends.
  int64_t interval_ms = 200;
  /// Keep a watermark for each Origin::split, send their minimum, and only by the clock (Kafka). A
  /// split holds the watermark back from when it is given to the subtask until it has ended.
  bool per_split = false;
  /// table.exec.source.idle-timeout; 0: never idle.
  int64_t idle_timeout_ms = 0;
  expression::EvaluationContext context = {};
};

std::shared_ptr<const stream::OperatorFactory> make_watermark_assigner(WatermarkSpec spec);

}  // namespace thalweg::operators
