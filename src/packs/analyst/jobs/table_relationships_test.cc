#include "packs/analyst/jobs/table_relationships.h"

#include <string>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "packs/analyst/jobs/relationship_names.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using testing::IsOk;

TEST(RelationshipNamesTest, Stems) {
  EXPECT_EQ(KeyStem("customer_id"), "customer");
  EXPECT_EQ(KeyStem("CUSTOMER_ID"), "customer");
  EXPECT_EQ(KeyStem("customerId"), "customer");
  EXPECT_EQ(KeyStem("id"), std::nullopt);
  EXPECT_EQ(KeyStem("_id"), std::nullopt);
  EXPECT_EQ(KeyStem("paid"), std::nullopt);
  EXPECT_EQ(KeyStem("PAID"), std::nullopt);
}

TEST(RelationshipNamesTest, SingularAndPlural) {
  EXPECT_TRUE(IsNamedAfter("customers", "customer"));
  EXPECT_TRUE(IsNamedAfter("customer", "customer"));
  EXPECT_TRUE(IsNamedAfter("boxes", "box"));
  EXPECT_TRUE(IsNamedAfter("cities", "city"));
  EXPECT_TRUE(IsNamedAfter("city", "cities"));
  EXPECT_FALSE(IsNamedAfter("custom", "customer"));
  EXPECT_FALSE(IsNamedAfter("articles_2025", "article"));
  EXPECT_TRUE(IsOwnKeyTable("articles_2025", "article"));
  EXPECT_TRUE(IsOwnKeyTable("t_2024_articles", "t_article"));
  EXPECT_FALSE(IsOwnKeyTable("articles_old", "article"));
}

template <class Base>
class WithRelations : public Base {
 protected:
  // "a.x>b.y 1/2 many-to-one;"
  std::string Find(std::vector<std::string> tables, bool all_columns = false,
                   double min_containment = 0.9) {
    auto out = this->template Run<TableRelationshipsOut>(
        "table_relationships", TableRelationshipsIn{.tables = std::move(tables),
                                                    .min_containment = min_containment,
                                                    .all_columns = all_columns});
    if (!out.has_value()) return out.error().reason;
    std::string text;
    for (const RelationshipCandidate& one : out->candidates) {
      text += one.from_table + "." + one.from_column + ">" + one.to_table + "." + one.to_column +
              " " + std::to_string(one.sampled_values - one.orphans_in_sample) + "/" +
              std::to_string(one.sampled_values) +
              (one.cardinality == Cardinality::kOneToOne ? " one;" : " many;");
    }
    skipped_ = out->skipped_tables;
    return text;
  }
  std::vector<std::string> skipped_;
};
using TableRelationshipsTest = WithRelations<JobsFixture>;
using SampleRelationshipsTest = WithRelations<SampleDataFixture>;

TEST_F(SampleRelationshipsTest, ExactlyTheTwoSubscriberKeys) {
  EXPECT_EQ(Find({"articles_2025", "articles_2026", "orders", "subscribers", "web_events"}),
            "orders.subscriber_id>subscribers.subscriber_id 295/295 many;"
            "web_events.subscriber_id>subscribers.subscriber_id 260/260 many;");
}

TEST_F(TableRelationshipsTest, IdOfTheTableThatTheStemNames) {
  MountCsv("customers", "id,name\n1,a\n2,b\n3,c\n");
  MountCsv("orders", "order_id,customer_id\n1,1\n2,1\n3,2\n");
  EXPECT_EQ(Find({"customers", "orders"}), "orders.customer_id>customers.id 2/2 many;");
}

TEST_F(TableRelationshipsTest, ContainmentAndOrphans) {
  MountCsv("cities", "city_id\na\nb\nc\n");
  MountCsv("visits", "city_id\na\na\nb\nz\n");
  EXPECT_EQ(Find({"cities", "visits"}), "");
  EXPECT_EQ(Find({"cities", "visits"}, false, 0.6), "visits.city_id>cities.city_id 2/3 many;");
}

TEST_F(TableRelationshipsTest, TargetsAreUniqueAndOfOneClass) {
  MountCsv("a", "x_id\n1\n2\n2\n");
  MountCsv("b", "x_id\n1\n2\n2\n");
  EXPECT_EQ(Find({"a", "b"}), "") << "no unique side";
  MountCsv("c", "x_id\none\ntwo\n");
  EXPECT_EQ(Find({"a", "c"}), "") << "numbers are no text";
  MountSelect("d", "SELECT unnest([1, 2, NULL])::TINYINT AS x_id");
  EXPECT_EQ(Find({"a", "d"}), "a.x_id>d.x_id 2/2 many;");
}

TEST_F(TableRelationshipsTest, PartitionsDoNotPointAtEachOther) {
  MountCsv("articles_2025", "article_id\n1\n2\n3\n");
  MountCsv("articles_2026", "article_id\n1\n2\n");
  EXPECT_EQ(Find({"articles_2025", "articles_2026"}), "");
}

TEST_F(TableRelationshipsTest, OneToOneAndAllColumns) {
  MountCsv("people", "email,person_id\na@x,1\nb@x,2\n");
  MountCsv("accounts", "email,person_id\nb@x,2\na@x,1\n");
  EXPECT_EQ(
      Find({"people", "accounts"}),
      "accounts.person_id>people.person_id 2/2 one;people.person_id>accounts.person_id 2/2 one;");
  EXPECT_THAT(Find({"people", "accounts"}, true),
              ::testing::HasSubstr("accounts.email>people.email 2/2 one;"));
}

TEST_F(TableRelationshipsTest, SampledDistinctValues) {
  MountSelect("item", "SELECT range AS id FROM range(5000)");
  MountSelect("sales", "SELECT range % 4000 AS item_id FROM range(100000)");
  EXPECT_EQ(Find({"item", "sales"}), "sales.item_id>item.id 1000/1000 many;");
}

TEST_F(TableRelationshipsTest, UnreadableTablesAreSkipped) {
  MountCsv("a", "x_id\n1\n");
  Add({.name = "later", .source = "later.csv"});
  EXPECT_EQ(Find({"a", "later"}), "");
  EXPECT_EQ(skipped_, std::vector<std::string>{"later"});
  EXPECT_EQ(Find({"a", "nope"}), "unknown_table");
}

}  // namespace
}  // namespace ducat::analyst
