#include "examples/publisher.h"
#include "examples/random.h"

namespace ducat::examples {
namespace {

constexpr uint64_t kSeed = 0x6105c;
constexpr int kWeeks = 26;
constexpr int64_t kCopyCents = 320;

struct Shop {
  std::string_view name;
  std::string_view city;
  int copies;
};
constexpr std::array kShops = {
    Shop{"Bahnhof Süd", "Köln", 140},
    Shop{"Kiosk „Zur Brücke“", "Dresden", 60},
    Shop{"Presse & Café Jäger", "München", 85},
    Shop{"Zeitungsladen Öztürk", "Berlin", 110},
};
constexpr std::array<std::string_view, 3> kRemarks = {
    "Feiertag – verkürzt geöffnet", "Lieferung „verspätet“", "Aushilfe: Frau Weiß"};

}  // namespace

std::vector<KioskSale> MakeKioskSales() {
  Random random(kSeed);
  const int first = MakeDay({.year = 2026, .month = 1, .day = 3}).days;
  std::vector<KioskSale> sales;
  for (int week = 0; week < kWeeks; ++week) {
    for (const Shop& shop : kShops) {
      KioskSale sale{.day = Day{first + 7 * week}, .shop = shop.name, .city = shop.city};
      sale.delivered = shop.copies + random.Below(15);
      sale.returned = random.Below(shop.copies / 3);
      sale.revenue_cents = (sale.delivered - sale.returned) * kCopyCents;
      if (random.Chance(14)) sale.remark = random.Pick(kRemarks);
      sales.push_back(sale);
    }
  }
  return sales;
}

}  // namespace ducat::examples
