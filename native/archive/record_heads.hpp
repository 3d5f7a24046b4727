// The heads of records and of HTTP messages, as nearly all are written; whatever is unusual is left to the slower
// readers (corpusprep.archive.heads, corpusprep.archive.http), which say what such heads mean. (ISO 28500; RFC 9112)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace corpusprep {

// The fields of a WARC record that are read, as they stand there without white space around them; "" for those that
// are missing. Printable ASCII. The views point into the data.
struct WarcHead {
  std::string_view type, url, date, content_type;
  std::uint64_t length = 0;  // of the content
  std::size_t size = 0;      // of the head, with the blank line
};

// The head that `data` begins with, if it is a version, lines of a name and a value in printable ASCII that end in CR
// LF, a length, and a blank line, all in the first megabyte; and says nothing that a reader would have to mend.
std::optional<WarcHead> warc_head(std::string_view data) noexcept;

struct HttpHead {
  int status = 0;
  std::string_view content_type;  // the value of the last such field that has one, printable ASCII; or ""
  std::size_t size = 0;           // of the head, with the blank line
};

// The head of an HTTP response that `data` begins with, if its body stands as it is: a status line, lines that are not
// folded and do not begin with markup, no transfer or content encoding, and a blank line, all in the first megabyte.
std::optional<HttpHead> http_head(std::string_view data) noexcept;

// Whether `text` is a date as archives should have it, "YYYY-MM-DDThh:mm:ssZ", on one of the first 28 days of a month.
bool plain_date(std::string_view text) noexcept;

}  // namespace corpusprep
