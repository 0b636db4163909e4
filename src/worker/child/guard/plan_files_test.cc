#include "worker/child/guard/plan_files.h"

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

TEST(PlanFiles, TheItemGoesFromEveryBox) {
  EXPECT_EQ(WithoutFileNames("\u250c\u2500\u2510 \u250c\u2500\u2510\n"
                             "\u2502 Files: 1     \u2502 \u2502 Filename(s): \u2502\n"
                             "\u2502 Filename(s): \u2502 \u2502   orders.csv \u2502\n"
                             "\u2502 /home/ann/x/ \u2502 \u2502              \u2502\n"
                             "\u2502 y.parquet    \u2502 \u2502   1 row      \u2502\n"
                             "\u2502              \u2502 \u2514\u2500\u2518\n"
                             "\u2502   1 row      \u2502\n"),
            "\u250c\u2500\u2510 \u250c\u2500\u2510\n"
            "\u2502 Files: 1     \u2502 \u2502              \u2502\n"
            "\u2502              \u2502 \u2502              \u2502\n"
            "\u2502              \u2502 \u2502              \u2502\n"
            "\u2502              \u2502 \u2502   1 row      \u2502\n"
            "\u2502              \u2502 \u2514\u2500\u2518\n"
            "\u2502   1 row      \u2502\n");
}

TEST(PlanFiles, OtherTextStaysAsItIs) {
  for (const char* text : {"", "no box", "Filename(s): x", "\u2502 Filename(s):", "a\n\nb\n",
                           "\xff\xfe Filename(s): \u2502", "{\"Filename(s)\": \"x.csv\"}"}) {
    EXPECT_EQ(WithoutFileNames(text), text);
  }
}

}  // namespace
}  // namespace ducat::guard
