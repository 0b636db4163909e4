#include "worker/child/guard/lexer.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace ducat::guard {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Texts(std::string_view sql) {
  const TokenList tokens = Tokenize(sql);
  std::vector<std::string> texts;
  for (size_t i = 0; i < tokens.tokens.size(); ++i)
    texts.emplace_back(tokens.Text(i));
  return texts;
}

TEST(Lexer, SplitsWordsNumbersAndSymbols) {
  EXPECT_THAT(Texts("SELECT a$1,1_000.5e-3 FROM t;"),
              ElementsAre("SELECT", "a$1", ",", "1_000.5e-3", "FROM", "t", ";"));
  EXPECT_THAT(Texts("0x1F .5 1..2"), ElementsAre("0x1F", ".5", "1.", ".2"));
}

TEST(Lexer, KeepsStringsWhole) {
  EXPECT_THAT(Texts("'a''b' E'a\\'b' \"x\"\"y\" $$;'$$ $t$ $$ $t$"),
              ElementsAre("'a''b'", "E'a\\'b'", "\"x\"\"y\"", "$$;'$$", "$t$ $$ $t$"));
}

TEST(Lexer, JoinsStringsOverLineBreaksOnly) {
  EXPECT_THAT(Texts("'a' -- c\n 'b'"), ElementsAre("'a' -- c\n 'b'"));
  EXPECT_THAT(Texts("'a' 'b'"), ElementsAre("'a'", "'b'"));
}

TEST(Lexer, SkipsComments) {
  EXPECT_THAT(Texts("a /* x /* y */ ; */ b -- ; c\nd"), ElementsAre("a", "b", "d"));
  EXPECT_THAT(Texts("a--b\rc"), ElementsAre("a", "c"));
}

TEST(Lexer, MarksWhatDoesNotEnd) {
  EXPECT_FALSE(Tokenize("a /* b").comment_ends);
  EXPECT_FALSE(Tokenize("'abc").tokens[0].ends);
  EXPECT_FALSE(Tokenize("$x$ abc $y$").tokens[0].ends);
  EXPECT_TRUE(Tokenize("a /* b */").comment_ends);
}

TEST(Lexer, KnowsParameters) {
  const TokenList tokens = Tokenize("? ?2 $1 $name");
  ASSERT_EQ(tokens.tokens.size(), 4U);
  for (const Token& token : tokens.tokens)
    EXPECT_EQ(token.kind, TokenKind::kParameter);
}

TEST(Lexer, ReadsUnicodeSpacesAsTheEngineDoes) {
  EXPECT_THAT(Texts("a\xC2\xA0"
                    "b\xE3\x80\x80"
                    "c"),
              ElementsAre("a", "b", "c"));
}

TEST(Lexer, FindsClosingBrackets) {
  const TokenList tokens = Tokenize("( [ { ) a");
  EXPECT_EQ(tokens.Closing(0), tokens.tokens.size());
  const TokenList closed = Tokenize("(a[1])b");
  EXPECT_EQ(closed.Closing(0), 5U);
}

TEST(Lexer, DecodesWhatItCanAndNothingElse) {
  EXPECT_EQ(DecodeToken("'a''b'"), "a'b");
  EXPECT_EQ(DecodeToken("\"a\"\"b\""), "a\"b");
  EXPECT_EQ(DecodeToken("E'a\\n\\'b'"), "a\n'b");
  EXPECT_EQ(DecodeToken("$t$a'b$t$"), "a'b");
  EXPECT_EQ(DecodeToken("'a' -- '\n 'b'"), "ab");
  EXPECT_EQ(DecodeToken("E'\\x41'"), std::nullopt);
  EXPECT_EQ(DecodeToken("x'41'"), std::nullopt);
  EXPECT_EQ(DecodeToken("'open"), std::nullopt);
  EXPECT_EQ(DecodeToken(""), std::nullopt);
}

}  // namespace
}  // namespace ducat::guard
