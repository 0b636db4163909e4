#include <algorithm>

#include "examples/publisher.h"
#include "examples/random.h"

namespace ducat::examples {
namespace {

constexpr uint64_t kSeed = 0x3eb;
constexpr int kEvents = 900;
constexpr size_t kVisitors = 260;  // subscribers who occur in the events
constexpr int64_t kFirstId = 700001;

constexpr std::array<std::string_view, 4> kDevices = {"phone", "phone", "desktop", "tablet"};
constexpr std::array<std::string_view, 8> kEventNames = {"page_view", "page_view",  "page_view",
                                                         "page_view", "scroll_end", "share",
                                                         "comment",   "paywall_hit"};
constexpr std::array<std::string_view, 4> kReferrers = {"newsletter", "search", "social",
                                                        "homepage"};

// The order of making decides between two events of the same second.
void NumberByTime(std::vector<WebEvent>& events) {
  int64_t made = 0;
  for (WebEvent& event : events) {
    event.id = made++;
  }
  std::sort(events.begin(), events.end(), [](const WebEvent& left, const WebEvent& right) {
    return std::pair(left.occurred_at.seconds, left.id) <
           std::pair(right.occurred_at.seconds, right.id);
  });
  int64_t id = kFirstId;
  for (WebEvent& event : events) {
    event.id = id++;
  }
}

}  // namespace

std::vector<WebEvent> MakeWebEvents(const std::vector<Subscriber>& subscribers,
                                    const std::vector<Article>& articles) {
  Random random(kSeed);
  std::vector<int64_t> visitors;
  visitors.reserve(subscribers.size());
  for (const Subscriber& person : subscribers) {
    visitors.push_back(person.id);
  }
  random.Shuffle(visitors);
  visitors.resize(kVisitors);

  const int first_day = MakeDay({.year = 2026, .month = 4, .day = 1}).days;
  std::vector<WebEvent> events;
  for (int index = 0; index < kEvents; ++index) {
    const auto turn = static_cast<size_t>(index);
    WebEvent event;
    event.occurred_at = AtSecondOfDay(Day{first_day + random.Below(91)}, random.Below(86400));
    if (turn < visitors.size()) {
      event.subscriber_id = visitors[turn];
    } else if (!random.Chance(25)) {
      event.subscriber_id = visitors[static_cast<size_t>(random.Below(kVisitors))];
    }
    event.article_id =
        articles[static_cast<size_t>(random.Below(static_cast<int>(articles.size())))].id;
    event.event = random.Pick(kEventNames);
    event.device = random.Pick(kDevices);
    event.seconds = random.Below(40) + random.Below(8) * random.Below(60);
    if (!random.Chance(18)) event.referrer = random.Pick(kReferrers);
    events.push_back(event);
  }
  NumberByTime(events);
  return events;
}

}  // namespace ducat::examples
