#include <algorithm>

#include <fmt/format.h>

#include "examples/publisher.h"
#include "examples/random.h"

namespace ducat::examples {
namespace {

struct Section {
  std::string_view name;
  std::array<std::string_view, 6> subjects;
  int reads_base;
};

constexpr std::array kSections = {
    Section{"politics",
            {"The city budget", "A vote on housing", "The coalition talks", "Police reform",
             "Rail tickets", "The mayor's diary"},
            2400},
    Section{"business",
            {"Interest rates", "The harbour strike", "Small bakeries", "Rents in the centre",
             "A bank's mistake", "Solar on every roof"},
            1900},
    Section{"culture",
            {"The opera's new season", "Street pianos", "A poet, rediscovered",
             "Film \"Nordlicht\"", "Museum nights", "The last record shop"},
            1300},
    Section{"science",
            {"Warm rivers", "A telescope on ice", "Bees, counted", "Sleep and exams",
             "The vaccine queue", "Old maps, new floods"},
            1700},
    Section{"sport",
            {"The cup final", "Rowing at dawn", "A goalkeeper's year", "Tickets, sold twice",
             "The marathon route", "Chess in the park"},
            2100},
    Section{"local",
            {"Line 12 is late", "The market hall", "A bridge closes", "School lunches",
             "Night buses", "Trees for Elbstraße"},
            1500},
};
constexpr std::array<std::string_view, 8> kAngles = {
    "what we know",      "a reader asks", "in five charts", "the long view",
    "who pays, who not", "an interview",  "a correction",   "behind the numbers"};
constexpr std::array<std::string_view, 10> kAuthors = {
    "Amira Haddad", "Björn Castell", "Chiara Russo", "Dörte Mahnke", "Emil O'Neill",
    "Fatma Yıldız", "Gero von Thun", "Hye-jin Park", "Ines Lacroix", "Desk"};

}  // namespace

std::vector<Article> MakeArticles(int year, int count) {
  Random random(0xa471c1e + static_cast<uint64_t>(year));
  const int first = MakeDay({.year = year, .month = 1, .day = 2}).days;
  const int days = year == 2025 ? 360 : 178;  // 2026 ends with June
  std::vector<Article> articles;
  for (int index = 0; index < count; ++index) {
    const Section& section = random.Pick(kSections);
    Article article;
    article.id = int64_t{year} * 1000 + index + 1;
    article.published_at =
        AtSecondOfDay(Day{first + index * days / count}, 5 * 3600 + random.Below(56) * 900);
    article.section = section.name;
    article.title = fmt::format("{}: {}", random.Pick(section.subjects), random.Pick(kAngles));
    article.author = random.Pick(kAuthors);
    article.words = 180 + random.Below(900) + random.Below(900);
    article.paywalled = random.Chance(45);
    const int luck = random.Below(100);
    article.reads = section.reads_base + random.Below(1200) + (luck > 96 ? 14000 : luck * 8);
    if (article.paywalled) article.reads = article.reads * 2 / 5;
    articles.push_back(std::move(article));
  }
  return articles;
}

}  // namespace ducat::examples
