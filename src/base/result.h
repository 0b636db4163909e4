#pragma once
// Result and Error: how every fallible function of Ducat answers. Our code never throws; an Error
// is a value that says what is wrong (message), what to do (hint) and which stable id a caller may
// match on (reason). Error objects are plain values; any thread may own one.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace ducat {

// The class of a failure. mcp/error_mapping.cc gives each its code on the wire; add both together.
enum class ErrorCode : uint8_t {
  kInvalidArgument,
  kNotFound,
  kPermissionDenied,
  kUnauthenticated,
  kFailedPrecondition,
  kResourceExhausted,
  kDeadlineExceeded,
  kCancelled,
  kUnavailable,
  kInternal,
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string reason;  // stable snake_case id, e.g. "unknown_table"
  std::string
      message;  // for the caller: what is wrong, with the values in it. kInternal: for the log only
  std::string hint;  // for the caller: what to do next; may be empty
  bool retryable = false;
  std::string data;  // further members of error.data as JSON without braces:
                     // "\"timeout_ms\":30000"; may be empty
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;
using Failure = tl::unexpected<Error>;

// Failure of the given class; for the common case `return Fail(ErrorCode::kNotFound,
// "unknown_table", ...)`.
[[nodiscard]] inline Failure Fail(ErrorCode code, std::string reason, std::string message,
                                  std::string hint = {}) {
  return Failure(Error{.code = code,
                       .reason = std::move(reason),
                       .message = std::move(message),
                       .hint = std::move(hint)});
}

// A defect of the product itself: the text goes to the log, the client sees a fixed sentence.
[[nodiscard]] inline Failure Internal(std::string message) {
  return Fail(ErrorCode::kInternal, "internal_error", std::move(message));
}

namespace internal {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}  // namespace internal

}  // namespace ducat

// Invariants of our own code, never for input: aborts with file and line.
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      ::ducat::internal::CheckFailed(#condition, __FILE__, __LINE__); \
    }                                                                 \
  } while (false)

#define DUCAT_CONCAT_INNER(a, b) a##b
#define DUCAT_CONCAT(a, b) DUCAT_CONCAT_INNER(a, b)

// NOLINTBEGIN(bugprone-macro-parentheses): a return word and a declaration take no parentheses.
// TRY(expression): returns its error from the enclosing function. TRY_ASSIGN(declaration,
// expression): the same, else declares `declaration` from its value. Inside a coroutine: CO_TRY and
// CO_TRY_ASSIGN.
#define DUCAT_TRY(return_word, result, expression) \
  auto result = (expression);                      \
  if (!result.has_value()) return_word ::ducat::Failure(std::move(result).error())
#define DUCAT_TRY_ASSIGN(return_word, result, declaration, expression) \
  DUCAT_TRY(return_word, result, expression);                          \
  declaration = std::move(result).value()
#define TRY(expression) DUCAT_TRY(return, DUCAT_CONCAT(try_result_, __LINE__), expression)
#define TRY_ASSIGN(declaration, expression) \
  DUCAT_TRY_ASSIGN(return, DUCAT_CONCAT(try_result_, __LINE__), declaration, expression)
#define CO_TRY(expression) DUCAT_TRY(co_return, DUCAT_CONCAT(try_result_, __LINE__), expression)
#define CO_TRY_ASSIGN(declaration, expression) \
  DUCAT_TRY_ASSIGN(co_return, DUCAT_CONCAT(try_result_, __LINE__), declaration, expression)
// NOLINTEND(bugprone-macro-parentheses)
