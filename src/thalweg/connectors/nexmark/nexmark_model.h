#pragma once

#include <algorithm>
#include <cstdint>

namespace thalweg::connectors {

enum class NexmarkKind : uint8_t { kPerson, kAuction, kBid };

/// How many of what, how fast and how big: Nexmark's own parameters with its defaults.
struct NexmarkModel {
  int64_t person_proportion = 1;
  int64_t auction_proportion = 3;
  int64_t bid_proportion = 46;
  int64_t events_per_second = 10000;
  int64_t base_time_ms = 0;
  int64_t hot_sellers_ratio = 4;
  int64_t hot_auctions_ratio = 2;
  int64_t hot_bidders_ratio = 4;
  int64_t person_bytes = 200;
  int64_t auction_bytes = 500;
  int64_t bid_bytes = 100;
  int64_t auctions_in_flight = 100;
  int64_t active_people = 1000;

  int64_t events_per_round() const {
    return person_proportion + auction_proportion + bid_proportion;
  }

  /// Events come in rounds: first the people, then the auctions, then the bids.
  NexmarkKind kind_of(int64_t place_in_round) const {
    if (place_in_round < person_proportion) {
      return NexmarkKind::kPerson;
    }
    return place_in_round < person_proportion + auction_proportion ? NexmarkKind::kAuction
                                                                   : NexmarkKind::kBid;
  }

  int64_t time_of(int64_t event) const { return base_time_ms + event * 1000 / events_per_second; }

  /// The newest person and auction when an event happens, from 0; the auction is -1 before the
  /// first.
  struct Newest {
    int64_t person;
    int64_t auction;
  };

  Newest newest(int64_t event) const {
    const int64_t round = event / events_per_round();
    const int64_t place = event - round * events_per_round();
    const int64_t auctions = std::min(place - person_proportion, auction_proportion - 1);
    return {round * person_proportion + std::min(place, person_proportion - 1),
            round * auction_proportion + std::max<int64_t>(auctions, -1)};
  }
};

}  // namespace thalweg::connectors
