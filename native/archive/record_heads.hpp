// Heads of WARC records and of HTTP messages in their usual form. Heads in any other form are left to the slower
// readers in Python, which also repair them (ISO 28500; RFC 9112).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace corpusprep {

// The fields of a WARC head that are needed, without the white space around them; "" for missing fields. Printable
// ASCII. The views point into the data.
struct WarcHead {
  std::string_view type, url, date, content_type, record_id;
  std::uint64_t length = 0;  // of the content
  std::size_t size = 0;      // of the head, with the blank line
};

// Returns the head at the beginning of `data` if it has the usual form: a version, then lines of a name and a value in
// printable ASCII that end in CR LF, among them a length, then a blank line, all within the first megabyte, and nothing
// that needs repair or says that the content is a part.
std::optional<WarcHead> warc_head(std::string_view data) noexcept;

struct HttpHead {
  int status = 0;
  std::string_view content_type;  // value of the last such field that is not empty, printable ASCII
  std::size_t size = 0;           // of the head, with the blank line
};

// Returns the head of an HTTP response at the beginning of `data` if the body needs no decoding: a final status, lines
// that are not folded and do not start with markup, a content type, no transfer or content encoding, then a blank line,
// all within the first megabyte; and if the rest of the data is not shorter than the declared length of the body.
std::optional<HttpHead> http_head(std::string_view data) noexcept;

// Returns whether `text` is a date as the standard requires, "YYYY-MM-DDThh:mm:ssZ", on one of the first 28 days of a
// month.
bool plain_date(std::string_view text) noexcept;

}  // namespace corpusprep
