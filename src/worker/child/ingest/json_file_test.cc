// The JSON cases of analyst.md 11 that the engine's structure and our types answer.
#include <string>

#include "worker/child/ingest/ingest_fixture.h"
#include "worker/child/ingest/json_depth.h"

namespace ducat::ingest {
namespace {

using JsonFileTest = IngestFixture;

TEST_F(JsonFileTest, Layouts) {
  EXPECT_EQ(LoadJson(R"([{"a":1},{"a":2}])"), "a BIGINT");
  EXPECT_EQ(Values(), "1;2");
  EXPECT_EQ(LoadJson("{\"a\":1}\n{\"a\":2}\n"), "a BIGINT");
  EXPECT_EQ(Values(), "1;2");
  EXPECT_EQ(LoadJson(R"({"a":1}{"a":2})"), "a BIGINT");
  EXPECT_EQ(Values(), "1;2");
  EXPECT_EQ(LoadJson(R"({"a":1,"b":[1,2]})"), "a BIGINT, b BIGINT[]");
  EXPECT_EQ(LoadJson("42"), "json BIGINT");
  EXPECT_EQ(Values(), "42");
  EXPECT_EQ(LoadJson("\xEF\xBB\xBF[{\"a\":1},{\"a\":2}]"), "a BIGINT");
  EXPECT_EQ(Values(), "1;2");
}

TEST_F(JsonFileTest, IntegersKeepTheirDigits) {
  EXPECT_EQ(LoadJson(R"([{"a":9007199254740993},{"a":18446744073709551616}])"), "a HUGEINT");
  EXPECT_EQ(Values(), "9007199254740993;18446744073709551616");
  EXPECT_EQ(LoadJson(R"([{"a":1},{"a":1.5},{"a":-0}])"), "a DOUBLE");
  EXPECT_EQ(LoadJson(R"([{"a":1e400}])"), "a VARCHAR");
  EXPECT_EQ(Values(), "1e400");
  EXPECT_EQ(Findings(), "digits_lost(a)=1");
}

TEST_F(JsonFileTest, StringsNeverBecomeNumbers) {
  EXPECT_EQ(LoadJson(R"([{"zip":"01234","n":"5","e":""},{"zip":"99999","n":"6","e":null}])"),
            "zip VARCHAR, n VARCHAR, e VARCHAR");
  EXPECT_EQ(Values(), "01234|5|;99999|6|NULL");
}

TEST_F(JsonFileTest, Times) {
  EXPECT_EQ(
      LoadJson(R"([{"d":"2024-01-02","t":"2024-01-02T03:04:05","z":"2024-06-01T00:00:00+02:00",
                          "w":"01/02/2024","m":"2024-01-02"},
                         {"d":"2024-01-03","t":"2024-01-02 03:04:05.5","z":"2024-01-01T00:00:00Z",
                          "w":"31/12/2024","m":"soon"}])"),
      "d DATE, t TIMESTAMP, z TIMESTAMP WITH TIME ZONE, w VARCHAR, m VARCHAR");
  EXPECT_EQ(OneText("SELECT z::VARCHAR FROM t LIMIT 1"), "2024-05-31 22:00:00+00");
}

TEST_F(JsonFileTest, UuidsKeepTheirSpelling) {
  EXPECT_EQ(LoadJson(R"([{"u":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}])"), "u UUID");
  EXPECT_EQ(LoadJson(R"([{"u":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8"}])"), "u VARCHAR");
  EXPECT_EQ(Values(), "6BA7B810-9DAD-11D1-80B4-00C04FD430C8");
}

TEST_F(JsonFileTest, DeepListsAreKeptAsText) {
  const auto lists = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') + "1" +
           std::string(static_cast<size_t>(depth), ']');
  };
  const auto file = [&](int depth) {
    return R"([{"k":1,"a":)" + lists(depth) + R"(},{"k":2,"a":)" + lists(depth) + "}]";
  };
  EXPECT_EQ(LoadJson(file(16)).substr(0, 22), "k BIGINT, a BIGINT[][]");
  EXPECT_EQ(Findings(), "");
  EXPECT_EQ(LoadJson(file(17)), "k BIGINT, a JSON");
  EXPECT_EQ(Findings(), "depth_limited(a)=1");
  EXPECT_EQ(Values(), "1|" + lists(17) + ";2|" + lists(17));
  EXPECT_EQ(LoadJson(lists(40)), "json JSON[][][][][][][][][][][][][][][][]");
  EXPECT_EQ(Findings(), "depth_limited(json)=1");
}

TEST_F(JsonFileTest, DeepObjectsEndInText) {
  const auto objects = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i)
      text += R"({"k":)";
    return text + "1" + std::string(static_cast<size_t>(depth), '}');
  };
  LoadJson("[" + objects(63) + "]");
  EXPECT_EQ(Findings(), "");
  LoadJson("[" + objects(70) + "]");
  EXPECT_EQ(Findings(), "depth_limited(k)=1");
}

TEST_F(JsonFileTest, KeysThatDifferInCaseOnly) {
  EXPECT_EQ(LoadJson(R"([{"k":1.5,"t":"2024-01-02","a":{"b":1,"B":2},"c":{"d":1}},
                         {"k":2,"t":"2024-01-03","a":{"b":3},"c":{"d":3}}])"),
            "k DOUBLE, t DATE, a JSON, c STRUCT(d BIGINT)");
  EXPECT_EQ(Findings(), "case_equal_keys(a)=1");
  EXPECT_EQ(OneText("SELECT a->>'B' FROM t LIMIT 1"), "2");
  EXPECT_EQ(LoadJson(R"([{"a":{"b":1}},{"a":{"B":3}}])"), "a JSON");
  EXPECT_EQ(Values(), R"({"b":1};{"B":3})");
  EXPECT_EQ(LoadJson(R"([{"n":7,"a":[{"b":{"x":1,"X":"y"}}]}])"), "n BIGINT, a JSON");
  EXPECT_EQ(LoadJson(R"([{"a":1,"A":2}])"), "a BIGINT, A_1 BIGINT");
}

TEST_F(JsonFileTest, Nested) {
  EXPECT_EQ(LoadJson(R"([{"p":{"when":"2024-01-02","n":[1,2]}},{"p":{"when":"x","n":[]}}])"),
            "p STRUCT(\"when\" VARCHAR, n BIGINT[])");
  EXPECT_EQ(LoadJson(R"([{"p":{"d":"2024-1-2"}}])"), "p STRUCT(d VARCHAR)");
  EXPECT_EQ(OneText("SELECT p.d FROM t"), "2024-1-2");
}

TEST_F(JsonFileTest, MixedKinds) {
  EXPECT_EQ(LoadJson(R"([{"a":1},{"a":"x"},{"a":null}])"), "a JSON");
  EXPECT_EQ(Values(), "1;\"x\";NULL");
}

TEST_F(JsonFileTest, ManyKeysBecomeAMap) {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "{\"k" + std::to_string(i) + "\":" + std::to_string(i) + "}\n";
  }
  EXPECT_EQ(LoadJson(text), "json MAP(VARCHAR, BIGINT)");
  EXPECT_EQ(OneText("SELECT count(*) FROM t"), "500");
}

TEST_F(JsonFileTest, KeysThatDifferInCase) {
  EXPECT_EQ(LoadJson(R"([{"a":1,"A":2},{"a":3,"A":4}])"), "a BIGINT, A_1 BIGINT");
  EXPECT_EQ(Values(), "1|2;3|4");
}

TEST_F(JsonFileTest, CompressedFiles) {
  for (const char* method : {"gzip", "zstd"}) {
    const std::string path = (data_dir() / "packed.json").string();
    auto packed =
        connection().Run("COPY (SELECT range AS id, [range] AS l FROM range(3)) TO " +
                         engine::QuoteText(path) + " (FORMAT json, COMPRESSION " + method + ")");
    ASSERT_TRUE(packed.has_value()) << packed.error().message;
    EXPECT_EQ(Load("packed.json", SourceFormat::kJson), "id BIGINT, l BIGINT[]");
    EXPECT_EQ(Values(), "0|[0];1|[1];2|[2]") << method;
  }
}

TEST_F(JsonFileTest, NonstandardNumbers) {
  EXPECT_EQ(LoadJson(R"([{"a":NaN},{"a":1.5},{"a":-Infinity}])"), "a DOUBLE");
  EXPECT_EQ(Values(), "nan;1.5;-inf");
  EXPECT_EQ(Findings(), "nonstandard_numbers=2");
  EXPECT_EQ(LoadJson("{\"a\":NaN}\n{\"a\":1,\"a\":2}\nNaN Infinity\n"), "a DOUBLE");
  EXPECT_EQ(Findings(), "bad_record=1 duplicate_keys=1 nonstandard_numbers=1");
  LoadJson(R"([{"a":"NaN","Infinity":null,"b":true,"c":false}])");
  EXPECT_EQ(Findings(), "") << "words in strings and the words of JSON";
}

TEST_F(JsonFileTest, RecordsBeyondTheLimitAreTold) {
  const std::string huge(static_cast<size_t>(kJsonRecordBytesMax) + 1, 'y');
  EXPECT_EQ(LoadJson("{\"a\":1}\n{\"a\":\"" + huge + "\"}\n"), "too_large");
  EXPECT_EQ(
      table_.error().message,
      "The record that begins in line 2 has more than 67,108,864 bytes, the limit of a record");
}

TEST_F(JsonFileTest, DamagedPackedFiles) {
  for (const Packing packing : {Packing::kGzip, Packing::kZstd}) {
    const std::string packed = Packed("[{\"a\":1},{\"a\":2}]\n", packing);
    Put("x.json.gz", packed.substr(0, packed.size() - 6));
    EXPECT_EQ(Load("x.json.gz", SourceFormat::kJson), "corrupt");
  }
}

TEST_F(JsonFileTest, LateTypes) {
  std::string text;
  for (int i = 0; i < 30'000; ++i)
    text += "{\"a\":1}\n";
  EXPECT_EQ(LoadJson(text + "{\"a\":12.75}\n"), "a DOUBLE");
  EXPECT_EQ(OneText("SELECT max(a) FROM t"), "12.75");
}

TEST_F(JsonFileTest, DeepNestingIsRefusedBeforeTheEngine) {
  const std::string crash = std::string(60'000, '[') + std::string(60'000, ']');
  EXPECT_EQ(LoadJson(crash), "deep_nesting");
  EXPECT_EQ(LoadJson("{\"a\":" + crash + "}"), "deep_nesting");
  std::string objects;
  for (int i = 0; i < 1001; ++i)
    objects += "{\"a\":";
  EXPECT_EQ(LoadJson(objects + "1" + std::string(1001, '}')), "deep_nesting");
  const std::string deepest = std::string(1000, '[') + std::string(1000, ']');
  EXPECT_NE(LoadJson(deepest), "deep_nesting");
  EXPECT_NE(LoadJson("{\"a\":\"" + std::string(60'000, '[') + "\"}"), "deep_nesting");
  EXPECT_EQ(OneText("SELECT 1"), "1") << "the engine lives";
}

TEST_F(JsonFileTest, BadRecordsAreToldAndTheRestLoads) {
  EXPECT_EQ(LoadJson("{\"a\":1}\n{\"a\":2 \"b\"}\n{\"a\":3}\n"), "a BIGINT");
  EXPECT_EQ(Values(), "1;3");
  EXPECT_EQ(Findings(), "bad_record=1");
  EXPECT_EQ(table_->findings[0].message,
            "Rejected, no JSON: line 2: expected , or } behind a value: \"{\"a\":2 \"b\"}\"");
  EXPECT_EQ(LoadJson(R"([{"a":1}] x)"), "a BIGINT");
  EXPECT_EQ(Findings(), "bad_record=1");
  EXPECT_EQ(LoadJson(R"([{"a":1},{"a":,"b":[1,2]},{"a":3}])"), "a BIGINT");
  EXPECT_EQ(Values(), "1;3");
  EXPECT_EQ(Findings(), "bad_record=1");
  EXPECT_EQ(LoadJson("{\"a\":\"x\n{\"a\":\"y\"}\n"), "a VARCHAR") << "a text that does not end";
  EXPECT_EQ(Values(), "y");
  EXPECT_EQ(LoadJson("{\"a\":1}\n{\"a\":2"), "a BIGINT") << "cut off";
  EXPECT_EQ(Values(), "1");
  EXPECT_EQ(LoadJson("[{\"a\":1},{\"a\":2}"), "a BIGINT");
  EXPECT_EQ(Values(), "1;2");
  EXPECT_EQ(Findings(), "bad_record=1");
  EXPECT_EQ(LoadJson("{\"a\":1}\nnull oops\n{\"a\":\"\\ud800\"}\n{\"a\":2}\n"), "a BIGINT");
  EXPECT_EQ(Values(), "1;2");
  EXPECT_EQ(Findings(), "bad_record=2");
}

TEST_F(JsonFileTest, ManyBadRecords) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) {
    text += "{\"a\":" + std::to_string(i) + ",\"t\":\"some text\"}\n";
    if (i % 5 == 0) text += "{\"a\":" + std::to_string(i) + " oops, \"t\":\"some text\"}\n";
  }
  EXPECT_EQ(LoadJson(text), "a BIGINT, t VARCHAR");
  EXPECT_EQ(OneText("SELECT count(*) FROM t"), "50000");
  EXPECT_EQ(Findings(), "bad_record=10000");
}

TEST_F(JsonFileTest, DoubleKeysKeepTheLast) {
  EXPECT_EQ(LoadJson(R"([{"a":1,"b":3,"a":2}])"), "a BIGINT, b BIGINT");
  EXPECT_EQ(Values(), "2|3");
  EXPECT_EQ(Findings(), "duplicate_keys=1");
  EXPECT_EQ(LoadJson(R"([{"p":{"a":1,"a":2}},{"p":{"a":3}}])"), "p STRUCT(a BIGINT)");
  EXPECT_EQ(OneText("SELECT sum(p.a) FROM t"), "5");
  EXPECT_EQ(Findings(), "duplicate_keys=1");
}

TEST_F(JsonFileTest, NestedNumbersKeepTheirDigits) {
  EXPECT_EQ(LoadJson(R"([{"p":{"n":1}},{"p":{"n":18446744073709551616}}])"), "p STRUCT(n HUGEINT)");
  EXPECT_EQ(OneText("SELECT max(p.n)::VARCHAR FROM t"), "18446744073709551616");
  EXPECT_EQ(Findings(), "");
  EXPECT_EQ(LoadJson(R"([{"l":[1,99999999999999999999]}])"), "l HUGEINT[]");
  EXPECT_EQ(OneText("SELECT l::VARCHAR FROM t"), "[1, 99999999999999999999]");
  EXPECT_EQ(LoadJson(R"([{"p":{"n":1.5}},{"p":{"n":0.12345678901234567891}}])"),
            "p STRUCT(n VARCHAR)");
  EXPECT_EQ(OneText("SELECT string_agg(p.n, ';') FROM t"), "1.5;0.12345678901234567891");
  EXPECT_EQ(Findings(), "digits_lost(p)=1");
  EXPECT_EQ(LoadJson(R"([{"p":{"n":1e400}}])"), "p STRUCT(n VARCHAR)");
  EXPECT_EQ(LoadJson(R"([{"a":0.12345678901234567891},{"a":2}])"), "a VARCHAR");
  EXPECT_EQ(Values(), "0.12345678901234567891;2");
  EXPECT_EQ(LoadJson(R"([{"a":1e5,"p":{"n":2.5e-3}}])"), "a DOUBLE, p STRUCT(n DOUBLE)");
  EXPECT_EQ(Findings(), "");
}

TEST_F(JsonFileTest, NonstandardNumbersAreRead) {
  EXPECT_EQ(LoadJson(R"([{"a":NaN},{"a":1.5}])"), "a DOUBLE");
  EXPECT_EQ(Values(), "nan;1.5");
}

TEST_F(JsonFileTest, BadFiles) {
  EXPECT_EQ(LoadJson(""), "empty");
  EXPECT_EQ(LoadJson("  \n "), "no_records");
  EXPECT_EQ(LoadJson("{\"a\":1"), "corrupt");
  EXPECT_EQ(LoadJson("not json"), "corrupt");
  EXPECT_EQ(LoadJson(std::string("\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\1\2\3", 20)), "binary");
  ASSERT_FALSE(table_.has_value());
  EXPECT_EQ(table_.error().message.find("/tmp"), std::string::npos);
}

}  // namespace
}  // namespace ducat::ingest
