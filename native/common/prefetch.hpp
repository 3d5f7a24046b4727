// Brings memory into the cache before it is needed, so that cache misses overlap.
#pragma once

namespace corpusprep {

// Requests the line of an address, which need not be valid.
//
// GCC 12 takes a function that does nothing but __builtin_prefetch for one without effects, and drops the calls of it.
// The empty assembly is an effect.
[[gnu::always_inline]] inline void prefetch_line(const void* address) noexcept {
  __builtin_prefetch(address);
  __asm__ volatile("");
}

}  // namespace corpusprep
