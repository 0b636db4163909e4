#pragma once
// A certificate made for a test, and a TLS client that talks through whatever carries its bytes:
// no socket in it.

#include <memory>
#include <string>
#include <string_view>

namespace ducat::testing {

struct TestCertificate {
  std::string certificate;  // PEM
  std::string key;          // PEM
};
[[nodiscard]] TestCertificate MakeCertificate(const std::string& common_name);

class TlsClient {
 public:
  struct Options {
    int version = 0;                    // TLS1_2_VERSION and the like; 0: the newest
    std::string alpn = "\x08http/1.1";  // as on the wire; empty: none offered
  };
  explicit TlsClient(const Options& options);
  TlsClient() : TlsClient(Options{}) {}
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  // Bytes for the server: the next step of the handshake, or what was written.
  [[nodiscard]] std::string TakeOutput();
  void Write(std::string_view plain);
  // close_notify: nothing more will be written.
  void CloseWriting();
  // Takes bytes from the server; gives what they say.
  [[nodiscard]] std::string Receive(std::string_view wire);
  // Moves the handshake on. True once it is done.
  bool Shake();
  [[nodiscard]] bool failed() const { return failed_; }
  // close_notify has come.
  [[nodiscard]] bool ended() const;
  [[nodiscard]] std::string version() const;   // "TLSv1.3"
  [[nodiscard]] std::string protocol() const;  // by ALPN
  [[nodiscard]] std::string peer_name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  bool failed_ = false;
};

}  // namespace ducat::testing
