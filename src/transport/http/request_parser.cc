#include "transport/http/request_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include "transport/http/chunked_body.h"

namespace ducat::transport {
namespace {

namespace http = boost::beast::http;
using BeastCode = boost::beast::error_code;
using BeastView = boost::beast::string_view;

std::string_view Std(BeastView text) {
  return {text.data(), text.size()};
}

// Keeps what Beast reads as views; copies only a body of declared length.
class HeadReader final : public http::basic_parser<true> {
 public:
  explicit HeadReader(const HttpLimits& limits) : limits_(limits) {
    header_limit(static_cast<std::uint32_t>(limits.head_bytes_max));
    body_limit(boost::none);  // judged by the gate when declared, below when chunked
    eager(true);
  }

  RequestHead head;
  std::string body;

 private:
  void on_request_impl(http::verb, BeastView method, BeastView target, int version,
                       BeastCode&) override {
    head.method = Std(method);
    head.target = Std(target);
    head.version = version;
  }
  void on_response_impl(int, BeastView, int, BeastCode&) override {}
  void on_field_impl(http::field, BeastView name, BeastView value, BeastCode&) override {
    if (!is_header_done()) head.headers.push_back({.name = Std(name), .value = Trim(Std(value))});
  }
  void on_header_impl(BeastCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, BeastCode&) override {
    if (length && *length <= limits_.body_bytes_max) body.reserve(static_cast<size_t>(*length));
  }
  std::size_t on_body_impl(BeastView part, BeastCode& error) override {
    if (part.size() > limits_.body_bytes_max - body.size()) {
      error = http::error::body_limit;
      return 0;
    }
    body.append(part.data(), part.size());
    return part.size();
  }
  // Chunks are read by ChunkedBody.
  void on_chunk_header_impl(std::uint64_t, BeastView, BeastCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, BeastView, BeastCode&) override { return 0; }
  void on_finish_impl(BeastCode&) override {}

  const HttpLimits& limits_;
};

}  // namespace

struct RequestParser::Impl {
  explicit Impl(const HttpLimits& given) : limits(given), reader(given) {}
  const HttpLimits& limits;
  HeadReader reader;
  std::optional<ChunkedBody> chunks;
};

RequestParser::RequestParser(const HttpLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}

RequestParser::~RequestParser() = default;

std::optional<HeadFault> RequestParser::ReadHead(std::string_view head) {
  if (auto fault = ScanHead(head, impl_->limits)) return fault;
  HeadReader& reader = impl_->reader;
  BeastCode error;
  reader.put(boost::asio::buffer(head.data(), head.size()), error);
  const bool more = error == http::error::need_more;
  if ((error && !more) || !reader.is_header_done()) {
    return HeadFault{400, "head", "The request head cannot be read"};
  }
  RequestHead& out = reader.head;
  out.chunked = reader.chunked();
  if (out.chunked) impl_->chunks.emplace(impl_->limits);
  if (const auto length = reader.content_length(); length && !out.chunked) {
    out.content_length = *length;
  }
  out.keep_alive = reader.keep_alive();
  const auto expect = out.Header("Expect");
  out.expects_continue = out.version == 11 && expect && EqualsIgnoringCase(*expect, "100-continue");
  return {};
}

const RequestHead& RequestParser::head() const {
  return impl_->reader.head;
}

std::optional<HeadFault> RequestParser::ReadBody(std::string_view bytes, size_t& taken) {
  if (impl_->chunks) return impl_->chunks->Read(bytes, taken);
  BeastCode error;
  taken = impl_->reader.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (!error || error == http::error::need_more) return {};
  if (error == http::error::body_limit) {
    return HeadFault{413, "body_too_large", "The body is too large"};
  }
  return HeadFault{400, "body", "The body cannot be read"};
}

bool RequestParser::done() const {
  return impl_->chunks ? impl_->chunks->done() : impl_->reader.is_done();
}

const std::string& RequestParser::body() const {
  return impl_->chunks ? impl_->chunks->body() : impl_->reader.body;
}

}  // namespace ducat::transport
