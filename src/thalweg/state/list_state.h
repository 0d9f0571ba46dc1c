#pragma once

#include <string>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::state {

/// A list of byte strings of one operator. Task thread only.
class ListStateImpl final : public stream::OperatorListState {
 public:
  ListStateImpl(std::string name, std::vector<std::string> restored)
      : name_(std::move(name)), restored_(std::move(restored)), items_(restored_) {}

  const std::vector<std::string>& restored() const override { return restored_; }

  void update(std::vector<std::string> items) override { items_ = std::move(items); }

  const std::string& name() const { return name_; }

  const std::vector<std::string>& items() const { return items_; }

 private:
  std::string name_;
  std::vector<std::string> restored_;
  std::vector<std::string> items_;
};

}  // namespace thalweg::state
