#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/nexmark/nexmark_source.h"
#include "thalweg/stream/connector.h"

namespace thalweg::connectors {

namespace {

stream::OptionSpec number(std::string key, std::string standard, std::string description) {
  return {.key = std::move(key),
          .type = stream::OptionType::kLong,
          .default_value = std::move(standard),
          .description = std::move(description)};
}

stream::OptionSpec size(std::string key, std::string standard, std::string description) {
  return {.key = std::move(key),
          .type = stream::OptionType::kMemory,
          .default_value = std::move(standard),
          .description = std::move(description)};
}

std::vector<stream::OptionSpec> nexmark_option_specs() {
  return {
      number("events.num", "0", "Ends after so many events; 0: never."),
      number("first-event.rate", "10000", "Events a second of event time at the start."),
      number("next-event.rate", "10000", "Events a second of event time; that of the start."),
      {.key = "rate.limited",
       .type = stream::OptionType::kBoolean,
       .default_value = "false",
       .description = "Give events no faster than their times pass by the clock."},
      number("base-time", "1436918400000", "The time of the first event, in ms since 1970."),
      number("seed", "42", "The same seed gives the same events."),
      number("person.proportion", "1", "New people in a round of events."),
      number("auction.proportion", "3", "New auctions in a round of events."),
      number("bid.proportion", "46", "Bids in a round of events."),
      size("person.avg-size", "200 b", "About how big a person is."),
      size("auction.avg-size", "500 b", "About how big an auction is."),
      size("bid.avg-size", "100 b", "About how big a bid is."),
      number("auction.hot-ratio.sellers",
             "4",
             "One auction in so many has any seller, the others "
             "have the one who is hot."),
      number("bid.hot-ratio.auctions",
             "2",
             "One bid in so many is for any auction, the others are "
             "for the one that is hot."),
      number("bid.hot-ratio.bidders",
             "4",
             "One bid in so many is from any person, the others are "
             "from the one who is hot."),
  };
}

int64_t positive(const stream::Options& options, const std::string& key) {
  const int64_t value = options.get_int(key);
  if (value < 1) {
    throw Error(
        ErrorCode::kInvalidOption,
        fmt::format("Invalid value for option '{}'. It must be above 0, but was: {}", key, value));
  }
  return value;
}

NexmarkModel read_model(const stream::Options& options) {
  NexmarkModel model;
  model.person_proportion = positive(options, "person.proportion");
  model.auction_proportion = positive(options, "auction.proportion");
  model.bid_proportion = positive(options, "bid.proportion");
  model.events_per_second = positive(options, "next-event.rate");
  if (options.has("first-event.rate") &&
      options.get_int("first-event.rate") != model.events_per_second) {
    throw Error(ErrorCode::kNotSupported,
                "A rate that changes: 'first-event.rate' must be 'next-event.rate'.");
  }
  model.base_time_ms = options.get_int("base-time");
  model.person_bytes = options.get_memory_bytes("person.avg-size");
  model.auction_bytes = options.get_memory_bytes("auction.avg-size");
  model.bid_bytes = options.get_memory_bytes("bid.avg-size");
  model.hot_sellers_ratio = positive(options, "auction.hot-ratio.sellers");
  model.hot_auctions_ratio = positive(options, "bid.hot-ratio.auctions");
  model.hot_bidders_ratio = positive(options, "bid.hot-ratio.bidders");
  return model;
}

/// 'connector' = 'nexmark': the events of the Nexmark benchmark, the same in every run.
class NexmarkConnector final : public stream::ConnectorFactory {
 public:
  std::string name() const override { return "nexmark"; }

  std::vector<stream::OptionSpec> option_specs() const override { return nexmark_option_specs(); }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    const stream::Options options(name(), option_specs(), context.options);
    options.validate();
    auto generator =
        std::make_shared<const NexmarkGenerator>(stream::produced_schema(context, {}),
                                                 read_model(options),
                                                 static_cast<uint64_t>(options.get_int("seed")));
    return make_nexmark_source(
        std::move(generator), options.get_int("events.num"), options.get_bool("rate.limited"));
  }

  std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& context) const override {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Connector 'nexmark' can only be used as a source. It cannot be used "
                            "as a sink: {}",
                            context.table_name));
  }
};

}  // namespace

std::unique_ptr<stream::ConnectorFactory> make_nexmark_connector() {
  return std::make_unique<NexmarkConnector>();
}

}  // namespace thalweg::connectors
