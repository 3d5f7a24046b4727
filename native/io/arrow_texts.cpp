#include "io/arrow_texts.hpp"

#include <cstring>
#include <stdexcept>

namespace corpusprep {

namespace {

// A string view of Arrow: short strings are inside it.
struct View {
  std::int32_t size;
  char prefix[4];
  std::int32_t buffer, offset;
};
static_assert(sizeof(View) == 16);
constexpr std::int32_t kInside = 12;
// Buffers of an array before those with the bytes of long strings: which values are not null, and the views.
constexpr std::int64_t kFirst = 2;

}  // namespace

ArrowTexts::ArrowTexts(ArrowArrayStream& stream) {
  ArrowSchema schema{};
  if (stream.get_schema(&stream, &schema) != 0) throw std::invalid_argument("a column of text that cannot be read");
  const bool views = std::strcmp(schema.format, "vu") == 0;
  if (schema.release != nullptr) schema.release(&schema);
  if (!views) throw std::invalid_argument("not a column of text");
  try {
    for (;;) {
      ArrowArray array{};
      if (stream.get_next(&stream, &array) != 0) throw std::invalid_argument("a column of text that cannot be read");
      if (array.release == nullptr) return;
      arrays_.push_back(array);
      take(array);
    }
  } catch (...) {
    release();
    throw;
  }
}

ArrowTexts::~ArrowTexts() { release(); }

void ArrowTexts::release() noexcept {
  for (auto& array : arrays_) array.release(&array);
  arrays_.clear();
}

void ArrowTexts::take(const ArrowArray& array) {
  const auto* valid = static_cast<const std::uint8_t*>(array.buffers[0]);
  const auto* views = static_cast<const View*>(array.buffers[1]);
  texts_.reserve(texts_.size() + static_cast<std::size_t>(array.length));
  for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) {
    if (valid != nullptr && (valid[i >> 3] >> (i & 7) & 1) == 0) {
      texts_.emplace_back();
      continue;
    }
    const View& view = views[i];
    const char* bytes = view.size <= kInside
                            ? view.prefix
                            : static_cast<const char*>(array.buffers[kFirst + view.buffer]) + view.offset;
    texts_.emplace_back(bytes, static_cast<std::size_t>(view.size));
  }
}

}  // namespace corpusprep
