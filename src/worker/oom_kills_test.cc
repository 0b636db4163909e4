#include "worker/oom_kills.h"

#include <gtest/gtest.h>

namespace ducat::worker {
namespace {

TEST(OomKills, AreReadFromTheKernelsCounters) {
  EXPECT_EQ(ParseOomKills("nr_free_pages 5\noom_kill 12\ndrop_pagecache 0\n"), 12U);
  EXPECT_EQ(ParseOomKills("a 1\noom_kill 0\n"), 0U);
  for (const char* text :
       {"", "oom_kill", "a 1\noom_kill \n", "a 1\noom_kill x\n", "a 1\nmy_oom_kill 3\n"}) {
    EXPECT_EQ(ParseOomKills(text), std::nullopt) << text;
  }
}

TEST(OomKills, OnlyGrow) {
  const auto before = ReadOomKills();
  const auto after = ReadOomKills();
  EXPECT_EQ(before.has_value(), after.has_value());
  EXPECT_GE(after.value_or(0), before.value_or(0));
}

}  // namespace
}  // namespace ducat::worker
