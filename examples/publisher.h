#pragma once
// The synthetic publisher behind examples/data: its people, orders, articles, page events and kiosk
// sales as plain values. Every Make function is deterministic; nothing is real. The specification
// promises facts about them (row counts, the statistics of `plan` and `amount_eur`, who has
// orders), which publisher_test.cc holds.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "examples/calendar.h"

namespace ducat::examples {

inline constexpr std::array<std::string_view, 4> kPlans = {"print_digital", "digital", "print",
                                                           "student"};

struct Subscriber {
  int64_t id = 0;
  std::string first_name;
  std::string last_name;
  std::string email;
  std::string country;
  std::string postcode;
  std::string city;
  std::optional<int> birth_year;
  size_t plan = 0;  // index into kPlans
  Day signed_up_on;
  std::string status;
  bool newsletter = false;
  std::string acquired_via;
};

struct Order {
  int64_t id = 0;
  Second ordered_at;
  int64_t subscriber_id = 0;
  size_t plan = 0;
  std::string_view period;
  int discount_pct = 0;
  int64_t amount_cents = 0;
  std::string_view payment;
  bool refunded = false;
};

struct Article {
  int64_t id = 0;
  Second published_at;
  std::string section;
  std::string title;
  std::string author;
  int words = 0;
  int64_t reads = 0;
  bool paywalled = false;
};

struct WebEvent {
  int64_t id = 0;
  Second occurred_at;
  std::optional<int64_t> subscriber_id;  // empty: a visitor who is not signed in
  int64_t article_id = 0;
  std::string_view event;
  std::string_view device;
  int seconds = 0;
  std::optional<std::string_view> referrer;
};

// One line of the kiosk wholesaler's report, the messy file.
struct KioskSale {
  Day day;
  std::string_view shop;
  std::string_view city;
  int delivered = 0;
  int returned = 0;
  int64_t revenue_cents = 0;
  std::string_view remark;
};

[[nodiscard]] std::vector<Subscriber> MakeSubscribers();
[[nodiscard]] std::vector<Order> MakeOrders(const std::vector<Subscriber>& subscribers);
[[nodiscard]] std::vector<Article> MakeArticles(int year, int count);
[[nodiscard]] std::vector<WebEvent> MakeWebEvents(const std::vector<Subscriber>& subscribers,
                                                  const std::vector<Article>& articles);
[[nodiscard]] std::vector<KioskSale> MakeKioskSales();

}  // namespace ducat::examples
