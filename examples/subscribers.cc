#include <algorithm>

#include <fmt/format.h>

#include "examples/publisher.h"
#include "examples/random.h"

namespace ducat::examples {
namespace {

constexpr uint64_t kSeed = 0x5b5c;
constexpr int kSubscribers = 300;
constexpr int64_t kFirstId = 1001;

struct City {
  std::string_view name;
  std::string_view country;
  int postcode_low;
  int postcode_high;
};

constexpr std::array kCities = {
    City{"Berlin", "DE", 10115, 14199},  City{"Dresden", "DE", 1067, 1328},
    City{"Hamburg", "DE", 20095, 22769}, City{"Köln", "DE", 50667, 51149},
    City{"Leipzig", "DE", 4103, 4357},   City{"München", "DE", 80331, 81929},
    City{"Graz", "AT", 8010, 8055},      City{"Wien", "AT", 1010, 1230},
    City{"Basel", "CH", 4001, 4059},     City{"Zürich", "CH", 8001, 8064},
};
constexpr std::array<std::string_view, 24> kFirstNames = {
    "Anna",   "Ben",   "Clara", "David", "Elif",   "Felix", "Greta", "Hannes",
    "Ida",    "Jonas", "Katja", "Lena",  "Mehmet", "Nora",  "Oskar", "Paula",
    "Quirin", "Rosa",  "Samir", "Tilda", "Ulrich", "Vera",  "Wanda", "Yusuf"};
constexpr std::array<std::string_view, 24> kLastNames = {
    "Albrecht", "Brandt",  "Çelik",   "Dietz",   "Ebert",  "Fuchs", "Großmann", "Huber",
    "Ivanova",  "Jansen",  "König",   "Lindner", "Müller", "Novak", "Okafor",   "Peters",
    "Quandt",   "Richter", "Schäfer", "Thiele",  "Urban",  "Vogel", "Weiß",     "Zeller"};
constexpr std::array<std::string_view, 5> kChannels = {"newsletter", "search", "social", "campus",
                                                       "friend"};

// How many of a hundred subscribers have each plan; the same shares as the orders'.
size_t PickPlan(Random& random) {
  const int share = random.Below(100);
  if (share < 30) return 0;
  if (share < 57) return 1;
  return share < 79 ? 2 : 3;
}

// A name as it would stand in an address: "Großmann" becomes "grossmann".
std::string AddressForm(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSpelled = {
      {{"Ç", "c"}, {"ä", "ae"}, {"ö", "oe"}, {"ü", "ue"}, {"ß", "ss"}}};
  std::string form(name);
  for (const auto& [letter, spelled] : kSpelled) {
    const size_t at = form.find(letter);
    if (at != std::string::npos) form.replace(at, letter.size(), spelled);
  }
  for (char& c : form) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return form;
}

Subscriber MakeSubscriber(Random& random, int index) {
  Subscriber person;
  person.id = kFirstId + index;
  person.first_name = random.Pick(kFirstNames);
  person.last_name = random.Pick(kLastNames);
  person.email = fmt::format("{}.{}{}@example.org", AddressForm(person.first_name),
                             AddressForm(person.last_name), index + 1);
  const City& city = random.Pick(kCities);
  person.country = city.country;
  person.city = city.name;
  person.postcode =
      fmt::format(fmt::runtime(city.country == "DE" ? "DE-{:05}" : "{1}-{0}"),
                  random.Between(city.postcode_low, city.postcode_high), city.country);
  person.plan = PickPlan(random);
  const bool student = kPlans[person.plan] == "student";
  if (!random.Chance(12)) {
    person.birth_year = student ? random.Between(1996, 2007) : random.Between(1942, 1995);
  }
  person.signed_up_on =
      Day{MakeDay({.year = 2023, .month = 1, .day = 1}).days + random.Below(365 * 3)};
  const int fate = random.Below(100);
  person.status = fate < 82 ? "active" : fate < 94 ? "cancelled" : "paused";
  person.newsletter = random.Chance(64);
  person.acquired_via = student && random.Chance(60) ? "campus" : random.Pick(kChannels);
  return person;
}

}  // namespace

std::vector<Subscriber> MakeSubscribers() {
  Random random(kSeed);
  std::vector<Subscriber> people;
  people.reserve(kSubscribers);
  for (int index = 0; index < kSubscribers; ++index) {
    people.push_back(MakeSubscriber(random, index));
  }
  return people;
}

}  // namespace ducat::examples
