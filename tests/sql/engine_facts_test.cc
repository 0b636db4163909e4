// Facts about the engine on which the guard rests (guard.md 2): when one of them changes, so must
// the guard.

#include <gtest/gtest.h>

#include "corpus_fixture.h"
#include "support/result_matchers.h"

namespace ducat::corpus {
namespace {}  // namespace
}  // namespace ducat::corpus
