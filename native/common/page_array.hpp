// Large arrays for random access. The system gives zeroed memory, in huge pages if it has them, so that lookups seldom
// miss the TLB. Only pages that were touched take memory.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace corpusprep {

template <class T>
class PageArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PageArray() = default;
  explicit PageArray(std::size_t size) { resize(size); }
  ~PageArray() { release(); }
  PageArray(PageArray&& other) noexcept { swap(other); }
  PageArray(const PageArray&) = delete;
  PageArray& operator=(const PageArray&) = delete;

  T* get() const noexcept { return data_; }
  T& operator[](std::size_t i) const noexcept { return data_[i]; }
  std::size_t size() const noexcept { return size_; }
  void swap(PageArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  // Keeps the content as far as it fits; new elements are zero. Pages are moved, not copied, so the old and the new
  // array never take memory at the same time.
  void resize(std::size_t size) {
    if (size == 0) return release();
    if (size > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
#if defined(__SANITIZE_ADDRESS__) || !defined(MREMAP_MAYMOVE)
    auto* moved = static_cast<T*>(std::calloc(size, sizeof(T)));
    if (moved == nullptr) throw std::bad_alloc();
    if (data_ != nullptr) std::memcpy(moved, data_, std::min(size, size_) * sizeof(T));
    std::free(data_);
    data_ = moved;
#else
    void* moved = data_ == nullptr ? ::mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                   : ::mremap(data_, size_ * sizeof(T), size * sizeof(T), MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    ::madvise(moved, size * sizeof(T), MADV_HUGEPAGE);
    data_ = static_cast<T*>(moved);
#endif
    size_ = size;
  }
  void release() noexcept {
    if (data_ == nullptr) return;
#if defined(__SANITIZE_ADDRESS__) || !defined(MREMAP_MAYMOVE)
    std::free(data_);
#else
    ::munmap(data_, size_ * sizeof(T));
#endif
    data_ = nullptr;
    size_ = 0;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace corpusprep
