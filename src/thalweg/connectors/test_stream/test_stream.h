#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "thalweg/stream/connector.h"

namespace thalweg::connectors {

/// The rows of one hand-fed table, kept from the first, so that a restarted job reads on where its
/// checkpoint says. Thread-safe: a test feeds, readers poll.
class TestFeed {
 public:
  /// `split`: which split gets the rows.
  void push(Batch batch, size_t split = 0);
  /// No more rows will come.
  void end();

  /// Batch `index` of a split; null when it is not there (yet).
  std::shared_ptr<const Batch> at(size_t split, size_t index) const;
  bool is_ended() const;

  /// The table's physical columns: what `push` takes. Known once a job reads the table.
  Schema schema() const;
  void set_schema(Schema schema);

 private:
  mutable std::mutex mutex_;
  Schema schema_;
  std::map<size_t, std::deque<std::shared_ptr<const Batch>>> batches_;
  bool ended_ = false;
};

/// The feeds of a test by table name (catalog.database.table). Shared by the test and the
/// connector.
class TestFeeds {
 public:
  std::shared_ptr<TestFeed> feed(const std::string& table_name);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<TestFeed>> feeds_;
};

/// `'connector' = 'test-stream'`: an unbounded table that a test feeds by hand. 'splits' = N gives
/// it N splits.
std::unique_ptr<stream::ConnectorFactory> make_test_stream_connector(
    std::shared_ptr<TestFeeds> feeds);

}  // namespace thalweg::connectors
