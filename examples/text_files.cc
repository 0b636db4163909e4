#include <fmt/format.h>

#include "examples/files.h"

namespace ducat::examples {
namespace {

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// The part of Windows-1252 that the kiosk report uses: Latin-1 plus the typographic characters.
char Cp1252Byte(uint32_t code_point) {
  switch (code_point) {
    case 0x20AC:
      return '\x80';  // euro sign
    case 0x201E:
      return '\x84';  // low double quote
    case 0x201C:
      return '\x93';
    case 0x201D:
      return '\x94';
    case 0x2013:
      return '\x96';  // en dash
    default:
      CHECK(code_point < 0x80 || (code_point >= 0xA0 && code_point <= 0xFF));
      break;
  }
  return static_cast<char>(code_point);
}

// `text` is one of our own literals: valid UTF-8 of at most three bytes a character.
std::string ToCp1252(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : 3;
    uint32_t code_point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (size_t k = 1; k < length; ++k) {
      code_point = code_point << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    }
    bytes += Cp1252Byte(code_point);
    i += length;
  }
  return bytes;
}

std::string CommaMoney(int64_t cents) {
  return fmt::format("{},{:02}", cents / 100, cents % 100);
}

}  // namespace

std::string ArticlesCsv(const std::vector<Article>& articles) {
  std::string csv = "article_id,published_at,section,title,author,words,reads,paywalled\n";
  for (const Article& article : articles) {
    csv +=
        fmt::format("{},{},{},{},{},{},{},{}\n", article.id, SecondText(article.published_at, ' '),
                    article.section, CsvField(article.title), CsvField(article.author),
                    article.words, article.reads, article.paywalled);
  }
  return csv;
}

std::string SubscribersCsv(const std::vector<Subscriber>& subscribers) {
  std::string csv =
      "subscriber_id,first_name,last_name,email,country,postcode,city,birth_year,plan,"
      "signed_up_on,status,newsletter,acquired_via\n";
  for (const Subscriber& person : subscribers) {
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", person.id, person.first_name,
                       person.last_name, person.email, person.country, person.postcode, person.city,
                       person.birth_year ? fmt::to_string(*person.birth_year) : "",
                       kPlans.at(person.plan), DayText(person.signed_up_on), person.status,
                       person.newsletter, person.acquired_via);
  }
  return csv;
}

std::string WebEventsJsonl(const std::vector<WebEvent>& events) {
  std::string jsonl;
  for (const WebEvent& event : events) {
    jsonl += fmt::format(
        R"({{"event_id":{},"occurred_at":"{}","subscriber_id":{},"article_id":{},"event":"{}",)"
        R"("device":"{}","seconds":{},"referrer":{}}})"
        "\n",
        event.id, SecondText(event.occurred_at, 'T'),
        event.subscriber_id ? fmt::to_string(*event.subscriber_id) : "null", event.article_id,
        event.event, event.device, event.seconds,
        event.referrer ? fmt::format("\"{}\"", *event.referrer) : "null");
  }
  return jsonl;
}

std::string KioskSalesCsv(const std::vector<KioskSale>& sales) {
  std::string csv = "Datum;Verkaufsstelle;Ort;Geliefert;Remission;Erlös €;Bemerkung\r\n";
  for (const KioskSale& sale : sales) {
    csv += fmt::format("{};{};{};{};{};{};{}\r\n", GermanDayText(sale.day), sale.shop, sale.city,
                       sale.delivered, sale.returned, CommaMoney(sale.revenue_cents), sale.remark);
  }
  csv += fmt::format("Ende der Liste – {} Zeilen\r\n", sales.size());
  return ToCp1252(csv);
}

}  // namespace ducat::examples
