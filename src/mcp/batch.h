#pragma once
// Batch: gathers the replies to one JSON-RPC batch (revision 2025-03-26) into one array. Shared by
// its requests; every element is settled exactly once. Control thread only.

#include <string>
#include <string_view>

#include "mcp/outbox.h"

namespace ducat::mcp {

class Batch {
 public:
  // `outbox` may be left by its session: then Abandon is called before it dies.
  Batch(Outbox& outbox, size_t elements) : outbox_(&outbox), open_(elements) {}

  // The element's reply; empty when it gets none (notification, cancelled).
  void Settle(std::string_view reply);
  void Abandon() { outbox_ = nullptr; }

 private:
  Outbox* outbox_;
  size_t open_;
  std::string replies_;
};

}  // namespace ducat::mcp
