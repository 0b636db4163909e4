// How a connection speaks TLS: what comes from the socket is opened before it is read, what goes to
// it is sealed. Without TLS bytes pass as they are.
#include <sys/socket.h>
#include <utility>

#include "transport/http/connection.h"
#include "transport/http/tls_files.h"

namespace ducat::transport {

Connection::Step Connection::Handshake() {
  tls_context_ = core_->options.tls->context();
  tls_ = tls_context_->Accept();
  EnterPhase(Phase::kHead, core_->limits().handshake_time);
  while (!tls_->handshaken()) {
    if (!co_await ReadMore()) co_return false;
  }
  co_return true;
}

// Bytes from the socket become bytes of in_.
void Connection::Take(std::string_view bytes) {
  if (!tls_) {
    in_.append(bytes);
  } else if (!tls_->Receive(bytes, in_, unsent_)) {
    peer_gone_ = true;
    SendNow();
  }
}

// What TLS itself has to say goes out with the next bytes; these cannot wait for any.
void Connection::SendNow() {
  if (unsent_.empty()) return;
  static_cast<void>(
      ::send(socket_.native_handle(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  unsent_.clear();
}

// The bytes of both for the socket; nothing: the connection is over.
bool Connection::Seal(std::string& first, std::string& second) {
  if (!tls_) return true;
  std::string sealed = std::exchange(unsent_, {});
  if (!tls_->Send(first, sealed) || !tls_->Send(second, sealed)) return false;
  first = std::move(sealed);
  second.clear();
  return true;
}

void Connection::SayGoodbye() {
  if (!tls_ || peer_gone_) return;
  tls_->Close(unsent_);
  SendNow();
}

}  // namespace ducat::transport
