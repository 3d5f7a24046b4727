// Fuzz target: members of a gzip file, and the heads of what they hold, on any bytes. The first byte says how: 1, the
// bytes are deflated data behind a sound header; 2, heads are looked for in the bytes themselves as well.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "corpusprep/gzip_members.hpp"
#include "corpusprep/record_heads.hpp"
#include "demand.hpp"

namespace {

using namespace corpusprep;

constexpr std::size_t kLimit = 1 << 20;

void read_heads(std::string_view data) {
  const auto inside = [&](std::string_view part) {
    return part.empty() || (part.data() >= data.data() && part.data() + part.size() <= data.data() + data.size());
  };
  if (const auto head = warc_head(data)) {
    demand(head->size >= 12 && head->size <= data.size() && data[head->size - 1] == '\n');
    demand(!head->type.empty() && inside(head->type) && inside(head->url) && inside(head->date));
    demand(inside(head->content_type) && (!plain_date(head->date) || head->date.size() == 20));
  }
  if (const auto head = http_head(data)) {
    demand(head->size <= data.size() && data[head->size - 1] == '\n');
    demand(head->status >= 0 && head->status <= 999 && inside(head->content_type));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] & 2) read_heads(file);
  if (data[0] & 1) file.insert(0, std::string("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10));
  const int descriptor = ::memfd_create("fuzz", 0);
  demand(descriptor >= 0 && ::write(descriptor, file.data(), file.size()) == static_cast<ssize_t>(file.size()));
  GzipMembers members(descriptor, 0, file.size(), kLimit);
  while (members.end() < file.size()) {
    const auto before = members.end();
    if (members.next() != Member::whole) break;
    demand(members.offset() == before && members.end() > before && members.end() <= file.size());
    demand(members.data().size() <= kLimit);
    read_heads(members.data());
  }
  ::close(descriptor);
  return 0;
}
