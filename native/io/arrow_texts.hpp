// Reads a column of text from Arrow's C stream interface, without copying it.
// https://arrow.apache.org/docs/format/CStreamInterface.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// The structures of the interface, as its specification gives them.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

namespace corpusprep {

// The texts of a column. They stay valid as long as this object.
class ArrowTexts {
 public:
  // Reads all arrays of a stream of string views, as polars gives them. The stream stays the caller's; it is at its end
  // afterwards. Throws std::invalid_argument if it has other values or cannot be read.
  explicit ArrowTexts(ArrowArrayStream& stream);
  ~ArrowTexts();
  ArrowTexts(const ArrowTexts&) = delete;
  ArrowTexts& operator=(const ArrowTexts&) = delete;

  // A value that is null is empty.
  const std::vector<std::string_view>& texts() const noexcept { return texts_; }

 private:
  void take(const ArrowArray& array);
  void release() noexcept;

  std::vector<ArrowArray> arrays_;
  std::vector<std::string_view> texts_;
};

}  // namespace corpusprep
