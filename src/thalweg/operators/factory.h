#pragma once

#include <memory>
#include <utility>

#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// Makes operators of one class from a spec that they share.
template <typename OperatorType, typename Spec>
class SpecFactory final : public stream::OperatorFactory {
 public:
  explicit SpecFactory(Spec spec) : spec_(std::move(spec)) {}

  std::unique_ptr<stream::Operator> create() const override {
    return std::make_unique<OperatorType>(spec_);
  }

 private:
  Spec spec_;
};

template <typename OperatorType, typename Spec>
std::shared_ptr<const stream::OperatorFactory> make_factory(Spec spec) {
  return std::make_shared<SpecFactory<OperatorType, Spec>>(std::move(spec));
}

}  // namespace thalweg::operators
