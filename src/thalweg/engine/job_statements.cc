#include "thalweg/connectors/collect/collect_sink.h"
#include "thalweg/engine/job_builder.h"
#include "thalweg/engine/job_report.h"
#include "thalweg/engine/statements.h"
#include "thalweg/planner/planner.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::engine {

namespace {

bool is_over(runtime::JobStatus status) {
  return status == runtime::JobStatus::kFinished || status == runtime::JobStatus::kFailed ||
         status == runtime::JobStatus::kCancelled;
}

/// The rows of a running query: what its collect sink has queued, then how the job ended.
class QueryRows final : public ResultRows {
 public:
  QueryRows(std::shared_ptr<connectors::CollectQueue> queue, std::shared_ptr<runtime::Job> job)
      : queue_(std::move(queue)), job_(std::move(job)) {}

  ~QueryRows() override { QueryRows::close(); }

  State next(int64_t max_wait_ms, Batch& batch) override {
    // Looked at before the queue: all that a finished job gave is in the queue already.
    const bool over = is_over(job_->status());
    auto popped = queue_->pop(over ? 0 : std::min(max_wait_ms, kLookAtJobMs));
    if (popped) {
      batch = std::move(*popped);
      return State::kBatch;
    }
    if (!over) {
      return State::kPending;
    }
    if (auto failure = job_->failure(); failure && !closed_) {
      throw std::move(*failure);
    }
    return State::kEnd;
  }

  void close() override {
    if (!closed_) {
      closed_ = true;
      queue_->close();
      job_->cancel();
    }
  }

 private:
  /// A reader may wait this long for a row before it sees that the job has ended.
  static constexpr int64_t kLookAtJobMs = 10;

  std::shared_ptr<connectors::CollectQueue> queue_;
  std::shared_ptr<runtime::Job> job_;
  std::atomic<bool> closed_ = false;
};

std::shared_ptr<runtime::Job> submit(SessionState& state, runtime::JobGraph graph) {
  runtime::JobOptions options = state.config.job_options();
  options.clock = state.options.clock;
  options.batch_rows = state.options.batch_rows;
  auto job = state.process->runtime->submit(std::move(graph), std::move(options));
  std::erase_if(state.jobs, [&state](const auto& old) {
    const bool over = is_over(old->status());
    if (over) {
      state.ended_jobs.push_back(listed(*old));
    }
    return over;
  });
  const size_t kept = std::min(state.ended_jobs.size(), SessionState::kEndedJobs);
  state.ended_jobs.erase(state.ended_jobs.begin(),
                         state.ended_jobs.end() - static_cast<int64_t>(kept));
  state.jobs.push_back(job);
  return job;
}

/// One row with -1 for each sink: Flink does not know how many rows an unbounded INSERT wrote.
Result insert_result(const planner::PhysicalPlan& plan, std::shared_ptr<runtime::Job> job) {
  Result result{.kind = Result::Kind::kInsert, .job = std::move(job)};
  for (const planner::PhysicalPtr& root : plan.roots) {
    const auto& sink = planner::as<planner::Sink>(*root);
    result.schema.push_back({fmt::format("{}", fmt::join(sink.path, ".")), DataType::big_int()});
  }
  std::vector<ColumnBuilder> builders = make_builders(result.schema);
  for (ColumnBuilder& builder : builders) {
    builder.append(int64_t{-1});
  }
  result.rows = make_static_rows(finish_batch(builders));
  return result;
}

std::string default_name(const planner::PhysicalPlan& plan) {
  std::vector<std::string> names;
  for (const planner::PhysicalPtr& root : plan.roots) {
    names.push_back(fmt::format("{}", fmt::join(planner::as<planner::Sink>(*root).path, ".")));
  }
  return fmt::format("insert-into_{}", fmt::join(names, ","));
}

}  // namespace

Result execute_query_plan(SessionState& state, const planner::LogicalPtr& logical) {
  const planner::PhysicalPlan plan = planner::optimize({logical}, state.planner);
  auto queue = std::make_shared<connectors::CollectQueue>(state.options.result_capacity);
  auto job = submit(state,
                    build_job(plan,
                              state.config,
                              state.config.get("pipeline.name", "collect"),
                              connectors::make_collect_sink(queue)));
  Result result{.kind = Result::Kind::kQuery, .schema = logical->schema, .job = job};
  result.rows = std::make_unique<QueryRows>(std::move(queue), job);
  result.shows_row_kinds = !plan.is_batch;
  result.explain_silence = [job] { return why_silent(*job); };
  return result;
}

Result execute_insert_plans(SessionState& state,
                            const std::vector<planner::LogicalPtr>& plans,
                            const std::string& name) {
  const planner::PhysicalPlan plan = planner::optimize(plans, state.planner);
  const std::string job_name =
      name.empty() ? state.config.get("pipeline.name", default_name(plan)) : name;
  auto job = submit(state, build_job(plan, state.config, job_name));
  Result result = insert_result(plan, job);
  result.explain_silence = [job] { return why_silent(*job); };
  return result;
}

Result execute_stream_plans(SessionState& state,
                            const std::vector<planner::LogicalPtr>& ends,
                            const planner::LogicalPtr& collected,
                            const std::string& name) {
  std::vector<planner::LogicalPtr> roots = ends;
  if (collected != nullptr) {
    roots.push_back(collected);
  }
  const planner::PhysicalPlan plan = planner::optimize(roots, state.planner);
  std::shared_ptr<connectors::CollectQueue> queue;
  std::shared_ptr<const stream::TableSink> sink;
  if (collected != nullptr) {
    queue = std::make_shared<connectors::CollectQueue>(state.options.result_capacity);
    sink = connectors::make_collect_sink(queue);
  }
  auto job = submit(state, build_job(plan, state.config, name, sink));
  Result result{.kind = Result::Kind::kInsert, .job = job};
  if (collected != nullptr) {
    result.kind = Result::Kind::kQuery;
    result.schema = collected->schema;
    result.rows = std::make_unique<QueryRows>(std::move(queue), job);
    result.shows_row_kinds = !plan.is_batch;
  }
  result.explain_silence = [job] { return why_silent(*job); };
  return result;
}

std::vector<planner::LogicalPtr> bind_for_explain(SessionState& state,
                                                  const sql::Statement& statement) {
  switch (statement.kind) {
    case sql::StatementKind::kQuery:
      return {planner::bind_query(*sql::as<sql::QueryStatement>(statement).query, state.planner)};
    case sql::StatementKind::kInsert:
      return {planner::bind_insert(sql::as<sql::Insert>(statement), state.planner)};
    case sql::StatementKind::kStatementSet: {
      std::vector<planner::LogicalPtr> plans;
      for (const sql::InsertPtr& insert : sql::as<sql::StatementSet>(statement).inserts) {
        plans.push_back(planner::bind_insert(*insert, state.planner));
      }
      return plans;
    }
    default:
      throw Error(ErrorCode::kSqlUnsupported,
                  "Only queries, INSERTs and statement sets have a plan")
          .at(statement.position);
  }
}

Result execute_explain(SessionState& state, const sql::Explain& explain) {
  const std::string text = planner::explain(bind_for_explain(state, *explain.statement),
                                            planner::ExplainDetails::parse(explain.details),
                                            state.planner);
  Result result = text_listing({"result"}, {{text}});
  result.kind = Result::Kind::kText;
  return result;
}

}  // namespace thalweg::engine
