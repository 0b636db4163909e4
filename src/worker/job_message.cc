#include "worker/job_message.h"

#include <utility>

namespace ducat::worker {

JobFailure ToFailure(Error error) {
  return JobFailure{.code = error.code,
                    .reason = std::move(error.reason),
                    .message = std::move(error.message),
                    .hint = std::move(error.hint),
                    .retryable = error.retryable,
                    .data = std::move(error.data)};
}

Error ToError(JobFailure failure) {
  return Error{.code = failure.code,
               .reason = std::move(failure.reason),
               .message = std::move(failure.message),
               .hint = std::move(failure.hint),
               .retryable = failure.retryable,
               .data = std::move(failure.data)};
}

}  // namespace ducat::worker
