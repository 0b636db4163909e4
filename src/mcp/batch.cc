#include "mcp/batch.h"

namespace ducat::mcp {

void Batch::Settle(std::string_view reply) {
  if (!reply.empty()) replies_.append(replies_.empty() ? "[" : ",").append(reply);
  if (--open_ != 0 || outbox_ == nullptr) return;
  if (replies_.empty()) return outbox_->Close();
  replies_.push_back(']');
  outbox_->Send(Outbox::Kind::kReply, std::move(replies_));
}

}  // namespace ducat::mcp
