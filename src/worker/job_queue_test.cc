#include "worker/job_queue.h"

#include <list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ducat::worker {
namespace {

class JobQueueTest : public ::testing::Test {
 protected:
  bool Add(const std::string& session, const std::string& key = "k") {
    WaitingJob& job = jobs_.emplace_back();
    job.session = session;
    job.key = key;
    return queue_.Add(job);
  }
  std::string TakeSession() {
    const WaitingJob* job = queue_.TakeFirst([](const WaitingJob&) { return true; });
    return job == nullptr ? "" : job->session;
  }

  std::list<WaitingJob> jobs_;
  JobQueue queue_{6, 4};
};

TEST_F(JobQueueTest, SessionsTakeTurns) {
  for (const char* session : {"a", "a", "a", "b", "c"})
    EXPECT_TRUE(Add(session));
  std::string order;
  for (int i = 0; i < 5; ++i)
    order += TakeSession();
  EXPECT_EQ(order, "abcaa");
  EXPECT_EQ(TakeSession(), "");
}

TEST_F(JobQueueTest, WithinASessionTheFirstComesFirst) {
  Add("a", "1");
  Add("a", "2");
  EXPECT_EQ(queue_.TakeFirst([](const WaitingJob&) { return true; })->key, "1");
  EXPECT_EQ(queue_.TakeFirst([](const WaitingJob&) { return true; })->key, "2");
}

TEST_F(JobQueueTest, BothLimitsHold) {
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(Add("a"));
  EXPECT_FALSE(Add("a")) << "the session's share";
  EXPECT_TRUE(Add("b"));
  EXPECT_TRUE(Add("b"));
  EXPECT_FALSE(Add("c")) << "all places are taken";
  EXPECT_EQ(queue_.size(), 6u);
  EXPECT_EQ(TakeSession(), "a");
  EXPECT_TRUE(Add("c"));
}

TEST_F(JobQueueTest, ASessionThatDoesNotFitIsPassedOver) {
  Add("a");
  Add("b");
  const auto* job = queue_.TakeFirst([](const WaitingJob& j) { return j.session != "a"; });
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(job->session, "b");
  EXPECT_EQ(queue_.TakeFirst([](const WaitingJob& j) { return j.session != "a"; }), nullptr);
  EXPECT_EQ(TakeSession(), "a") << "and keeps its turn";
}

TEST_F(JobQueueTest, AJobThatGivesUpLeavesNoTrace) {
  Add("a");
  Add("a");
  queue_.Remove(jobs_.front());
  queue_.Remove(jobs_.front());
  EXPECT_EQ(queue_.size(), 1u);
  EXPECT_FALSE(queue_.HasOtherThan("a"));
  EXPECT_TRUE(queue_.HasOtherThan("b"));
  queue_.Remove(jobs_.back());
  EXPECT_FALSE(queue_.HasOtherThan("b"));
}

}  // namespace
}  // namespace ducat::worker
