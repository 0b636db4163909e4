// The facts that the specification promises about the example data, and that the files in
// examples/data are what the generator makes.
#include "examples/publisher.h"

#include <cmath>
#include <map>
#include <set>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "examples/files.h"
#include "support/result_matchers.h"

namespace ducat::examples {
namespace {

using testing::FailsWith;
using testing::IsOk;

std::set<int64_t> SubscriberIds() {
  std::set<int64_t> ids;
  for (const Subscriber& person : MakeSubscribers())
    ids.insert(person.id);
  return ids;
}

TEST(Publisher, HasThePromisedNumberOfRows) {
  EXPECT_EQ(MakeSubscribers().size(), 300U);
  EXPECT_EQ(SubscriberIds().size(), 300U);
  EXPECT_EQ(MakeOrders(MakeSubscribers()).size(), 1200U);
  EXPECT_EQ(MakeArticles(2025, 150).size(), 150U);
}

TEST(Publisher, PlansOfOrdersAreAsSpecified) {
  std::map<std::string_view, int> plans;
  for (const Order& order : MakeOrders(MakeSubscribers()))
    ++plans[kPlans.at(order.plan)];
  EXPECT_THAT(plans, ::testing::ElementsAre(
                         ::testing::Pair("digital", 323), ::testing::Pair("print", 257),
                         ::testing::Pair("print_digital", 364), ::testing::Pair("student", 256)));
}

TEST(Publisher, AmountsHaveTheSpecifiedStatistics) {
  std::set<int64_t> prices;
  int64_t sum = 0;
  int64_t squares = 0;
  const std::vector<Order> orders = MakeOrders(MakeSubscribers());
  for (const Order& order : orders) {
    prices.insert(order.amount_cents);
    sum += order.amount_cents;
    squares += order.amount_cents * order.amount_cents;
  }
  const auto count = static_cast<double>(orders.size());
  const double mean = static_cast<double>(sum) / 100 / count;
  const double variance =
      (static_cast<double>(squares) / 10000 - count * mean * mean) / (count - 1);
  EXPECT_EQ(prices.size(), 36U);
  EXPECT_EQ(*prices.begin(), 368);
  EXPECT_EQ(*prices.rbegin(), 41880);
  EXPECT_EQ(std::llround(mean * 1e6), 73488592);
  EXPECT_EQ(std::llround(std::sqrt(variance) * 1e6), 110934603);
}

TEST(Publisher, EveryOrderBelongsToASubscriberAndFiveHaveNone) {
  const std::set<int64_t> known = SubscriberIds();
  std::set<int64_t> customers;
  for (const Order& order : MakeOrders(MakeSubscribers()))
    customers.insert(order.subscriber_id);
  EXPECT_EQ(customers.size(), 295U);
  EXPECT_TRUE(std::includes(known.begin(), known.end(), customers.begin(), customers.end()));
}

TEST(Publisher, EventsNameTwoHundredSixtySubscribers) {
  const std::set<int64_t> known = SubscriberIds();
  std::set<int64_t> visitors;
  int anonymous = 0;
  const auto events = MakeWebEvents(MakeSubscribers(), MakeArticles(2025, 150));
  for (const WebEvent& event : events) {
    if (event.subscriber_id)
      visitors.insert(*event.subscriber_id);
    else
      ++anonymous;
  }
  EXPECT_EQ(events.size(), 900U);
  EXPECT_EQ(visitors.size(), 260U);
  EXPECT_TRUE(std::includes(known.begin(), known.end(), visitors.begin(), visitors.end()));
  EXPECT_GT(anonymous, 50);
}

TEST(Publisher, KioskReportIsMessyInTheIntendedWay) {
  const std::string bytes = KioskSalesCsv(MakeKioskSales());
  EXPECT_NE(bytes.find("Erl\xF6s \x80;"), std::string::npos) << "Windows-1252";
  EXPECT_NE(bytes.find("\x84Zur Br\xFC"
                       "cke\x93"),
            std::string::npos);
  EXPECT_NE(bytes.find(",20;"), std::string::npos) << "decimal comma";
  EXPECT_NE(bytes.find("\r\nEnde der Liste \x96 104 Zeilen"), std::string::npos) << "footer";
}

TEST(DataSet, IsWhatTheGeneratorMakes) {
  const std::filesystem::path made =
      std::filesystem::temp_directory_path() / ("ducat_examples_" + std::to_string(getpid()));
  ASSERT_THAT(WriteDataSet(made), IsOk());
  for (const std::filesystem::path& file : DataSetFiles()) {
    const Result<std::string> shipped =
        ReadWholeFile(std::filesystem::path(DUCAT_EXAMPLES_DATA) / file);
    ASSERT_THAT(shipped, IsOk());
    const Result<std::string> fresh = ReadWholeFile(made / file);
    ASSERT_THAT(fresh, IsOk());
    EXPECT_TRUE(*fresh == *shipped)
        << file << " differs: run build/dev/bin/ducat-examples examples/data";
  }
  std::filesystem::remove_all(made);
}

TEST(DataSet, SaysWhichFolderItCannotWrite) {
  EXPECT_THAT(WriteDataSet("/proc/nothing/here"), FailsWith("not_writable"));
}

}  // namespace
}  // namespace ducat::examples
