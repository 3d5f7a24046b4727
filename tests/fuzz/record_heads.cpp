// Fuzz target: heads of records and messages, searched in any bytes.
#include "archive/record_heads.hpp"

#include <cstdint>
#include <string_view>

#include "demand.hpp"

using namespace corpusprep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view data(reinterpret_cast<const char*>(bytes), size);
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
  return 0;
}
