#pragma once

#include <array>
#include <string_view>

/// The words of date patterns, in English as Flink's formatters have them.
namespace thalweg::functions {

inline constexpr std::array<std::string_view, 12> kMonths = {"January",
                                                             "February",
                                                             "March",
                                                             "April",
                                                             "May",
                                                             "June",
                                                             "July",
                                                             "August",
                                                             "September",
                                                             "October",
                                                             "November",
                                                             "December"};
inline constexpr std::array<std::string_view, 7> kDays = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
inline constexpr std::array<std::string_view, 2> kHalves = {"AM", "PM"};
inline constexpr std::array<std::string_view, 2> kEras = {"Before Christ", "Anno Domini"};
inline constexpr std::array<std::string_view, 2> kShortEras = {"BC", "AD"};
inline constexpr std::array<std::string_view, 4> kQuarters = {
    "1st quarter", "2nd quarter", "3rd quarter", "4th quarter"};
inline constexpr std::array<std::string_view, 4> kShortQuarters = {"Q1", "Q2", "Q3", "Q4"};

}  // namespace thalweg::functions
