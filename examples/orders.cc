// Orders: 1,200 of them over 36 prices. How often each price occurs is a fixed table, found by a
// search, so that the column's statistics are exactly those that the specification of
// profile_table names (mean 73.488592, standard deviation 110.934603, 6 decimals).
#include <algorithm>

#include "examples/publisher.h"
#include "examples/random.h"

namespace ducat::examples {
namespace {

constexpr uint64_t kSeed = 0x04de4;
constexpr int64_t kFirstId = 50001;
constexpr size_t kSubscribersWithoutOrders = 5;

struct Period {
  std::string_view name;
  int months;
};
constexpr std::array kPeriods = {Period{"month", 1}, Period{"quarter", 3}, Period{"year", 12}};
constexpr std::array kDiscountsPct = {0, 10, 20};
constexpr std::array<int64_t, 4> kMonthlyCents = {3490, 1490, 2990, 460};  // in the order of kPlans

// Orders by plan, then period, then discount.
using PlanCounts = std::array<std::array<int, 3>, 3>;
constexpr std::array<PlanCounts, 4> kCounts = {{
    {{{151, 40, 19}, {63, 11, 8}, {62, 5, 5}}},   // print_digital: 364
    {{{144, 40, 21}, {55, 13, 13}, {27, 8, 2}}},  // digital: 323
    {{{91, 37, 12}, {47, 14, 7}, {40, 3, 6}}},    // print: 257
    {{{87, 47, 18}, {38, 17, 10}, {35, 2, 2}}},   // student: 256
}};
constexpr std::array<std::string_view, 4> kPayments = {"card", "sepa", "paypal", "invoice"};

// The subscribers of each plan who order at all; the last ones to sign up have not yet.
std::array<std::vector<const Subscriber*>, 4> Customers(const std::vector<Subscriber>& people) {
  std::vector<const Subscriber*> by_age;
  by_age.reserve(people.size());
  for (const Subscriber& person : people) {
    by_age.push_back(&person);
  }
  std::sort(by_age.begin(), by_age.end(), [](const auto* left, const auto* right) {
    return std::pair(left->signed_up_on.days, left->id) <
           std::pair(right->signed_up_on.days, right->id);
  });
  by_age.resize(by_age.size() - kSubscribersWithoutOrders);
  std::array<std::vector<const Subscriber*>, 4> customers;
  for (const Subscriber* person : by_age) {
    customers.at(person->plan).push_back(person);
  }
  return customers;
}

std::vector<Order> OrdersOfPlan(size_t plan) {
  std::vector<Order> orders;
  for (size_t period = 0; period < kPeriods.size(); ++period) {
    for (size_t discount = 0; discount < kDiscountsPct.size(); ++discount) {
      const int pct = kDiscountsPct.at(discount);
      const Order order{
          .plan = plan,
          .period = kPeriods.at(period).name,
          .discount_pct = pct,
          .amount_cents = kMonthlyCents.at(plan) * kPeriods.at(period).months * (100 - pct) / 100};
      orders.insert(orders.end(), static_cast<size_t>(kCounts.at(plan).at(period).at(discount)),
                    order);
    }
  }
  return orders;
}

// Every customer of the plan gets one order, then the rest goes to anyone.
void Assign(Random& random, const std::vector<const Subscriber*>& customers,
            std::vector<Order>& orders) {
  const int last_day = MakeDay({.year = 2026, .month = 6, .day = 30}).days;
  for (size_t i = 0; i < orders.size(); ++i) {
    const size_t who = i < customers.size()
                           ? i
                           : static_cast<size_t>(random.Below(static_cast<int>(customers.size())));
    const Subscriber& person = *customers.at(who);
    const int day = i < customers.size() ? person.signed_up_on.days
                                         : random.Between(person.signed_up_on.days, last_day);
    orders[i].subscriber_id = person.id;
    orders[i].ordered_at = AtSecondOfDay(Day{day}, random.Below(86400));
    orders[i].payment = random.Pick(kPayments);
    orders[i].refunded = random.Chance(3);
  }
}

// The order of making decides between two orders of the same second.
void NumberByTime(std::vector<Order>& orders) {
  int64_t made = 0;
  for (Order& order : orders) {
    order.id = made++;
  }
  std::sort(orders.begin(), orders.end(), [](const Order& left, const Order& right) {
    return std::pair(left.ordered_at.seconds, left.id) <
           std::pair(right.ordered_at.seconds, right.id);
  });
  int64_t id = kFirstId;
  for (Order& order : orders) {
    order.id = id++;
  }
}

}  // namespace

std::vector<Order> MakeOrders(const std::vector<Subscriber>& subscribers) {
  Random random(kSeed);
  const auto customers = Customers(subscribers);
  std::vector<Order> all;
  for (size_t plan = 0; plan < kPlans.size(); ++plan) {
    std::vector<Order> orders = OrdersOfPlan(plan);
    random.Shuffle(orders);
    Assign(random, customers.at(plan), orders);
    all.insert(all.end(), orders.begin(), orders.end());
  }
  NumberByTime(all);
  return all;
}

}  // namespace ducat::examples
