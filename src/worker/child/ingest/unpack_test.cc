#include "worker/child/ingest/unpack.h"

#include <optional>
#include <string>

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"
#include "worker/child/ingest/packed_text.h"

namespace ducat::ingest {
namespace {

using testing::FailsWith;
using testing::IsOk;

class UnpackTest : public ::testing::TestWithParam<Packing> {
 protected:
  Result<SourceFile> Run(std::string_view packed, const UnpackLimits& limits = {},
                         std::optional<int64_t> bytes = {}) {
    folder_.Write("in", packed);
    const Compression compression =
        GetParam() == Packing::kGzip ? Compression::kGzip : Compression::kZstd;
    return Unpack({.path = (folder_.path() / "in").string(),
                   .bytes = bytes.value_or(static_cast<int64_t>(packed.size()))},
                  compression, folder_.string(), limits, [this] { return interrupted_; });
  }
  [[nodiscard]] std::string Unpacked() const { return folder_.Read("unpacked.tmp"); }
  static std::string Pack(std::string_view text) { return Packed(text, GetParam()); }

  testing::ScratchFolder folder_;
  bool interrupted_ = false;
};

std::string Noise(size_t bytes) {
  std::string noise;
  uint32_t state = 1;
  while (noise.size() < bytes) {
    state = state * 1'664'525U + 1'013'904'223U;
    noise += static_cast<char>(state >> 24U);
  }
  return noise;
}

TEST_P(UnpackTest, GivesEveryByteBack) {
  for (const std::string& text : {std::string(), std::string("a\r\n\xFF\0b", 6), Noise(1'000'000),
                                  std::string(3'000'000, 'x')}) {
    const auto unpacked = Run(Pack(text));
    ASSERT_THAT(unpacked, IsOk());
    EXPECT_EQ(unpacked->bytes, static_cast<int64_t>(text.size()));
    EXPECT_TRUE(Unpacked() == text);
  }
}

TEST_P(UnpackTest, PartsFollowOneAnother) {
  ASSERT_THAT(Run(Pack("a,b\n") + Pack("") + Pack("1,2\n")), IsOk());
  EXPECT_EQ(Unpacked(), "a,b\n1,2\n");
}

// Wherever the file ends too early.
TEST_P(UnpackTest, CutFilesAreCorrupt) {
  const std::string packed = Pack(Noise(400));
  for (size_t bytes = 4; bytes < packed.size(); ++bytes) {
    const auto cut = Run(packed.substr(0, bytes));
    ASSERT_THAT(cut, FailsWith("corrupt")) << bytes;
    EXPECT_THAT(cut.error().message, ::testing::HasSubstr("cut off"));
  }
  const std::string large = Pack(Noise(1'000'000));
  EXPECT_THAT(Run(large.substr(0, large.size() / 2)), FailsWith("corrupt"));
  EXPECT_THAT(Run(packed + packed.substr(0, 20)), FailsWith("corrupt"));
}

TEST_P(UnpackTest, DamagedFilesAreCorrupt) {
  std::string packed = Pack(std::string(5'000, 'x') + Noise(5'000));
  EXPECT_THAT(Run(packed + "and more"), FailsWith("corrupt"));
  packed[packed.size() / 2] ^= 1;
  if (GetParam() == Packing::kGzip) EXPECT_THAT(Run(packed), FailsWith("corrupt"));
  EXPECT_THAT(Run(packed.substr(0, 6) + std::string(50, '\xFF')), FailsWith("corrupt"));
}

TEST_P(UnpackTest, BytesAreLimited) {
  const std::string packed = Pack(Noise(1'000));
  EXPECT_THAT(Run(packed, {.bytes_max = 1'000}), IsOk());
  const auto refused = Run(packed, {.bytes_max = 999});
  EXPECT_THAT(refused, FailsWith("too_large"));
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("999"));
  EXPECT_THAT(refused.error().hint, ::testing::HasSubstr("--max-file-bytes"));
}

TEST_P(UnpackTest, TheRatioIsLimited) {
  const std::string exact = Pack(std::string(100'000, 'x'));
  const std::string more = Pack(std::string(100'001, 'x'));
  constexpr int64_t kPacked = 100;  // as the file system told
  const UnpackLimits limits{.ratio_max = 1'000, .free_bytes = 99'999};
  EXPECT_THAT(Run(exact, limits, kPacked), IsOk());
  const auto refused = Run(more, limits, kPacked);
  EXPECT_THAT(refused, FailsWith("too_large"));
  EXPECT_THAT(refused.error().hint, ::testing::HasSubstr("--limit-unpack-ratio"));
  EXPECT_THAT(Run(more, {.ratio_max = 1'000, .free_bytes = 100'001}, kPacked), IsOk());
}

TEST_P(UnpackTest, CanBeStopped) {
  interrupted_ = true;
  EXPECT_THAT(Run(Pack("x")), FailsWith("cancelled"));
}

INSTANTIATE_TEST_SUITE_P(All, UnpackTest, ::testing::Values(Packing::kGzip, Packing::kZstd));

TEST(UnpackGzip, ZerosBehindItFillATape) {
  const testing::ScratchFolder folder;
  const std::string packed = Gzip("a\n") + std::string(500, '\0');
  folder.Write("in", packed);
  const auto unpacked = Unpack(
      {.path = (folder.path() / "in").string(), .bytes = static_cast<int64_t>(packed.size())},
      Compression::kGzip, folder.string(), {}, [] { return false; });
  ASSERT_THAT(unpacked, IsOk());
  EXPECT_EQ(unpacked->bytes, 2);
}

}  // namespace
}  // namespace ducat::ingest
