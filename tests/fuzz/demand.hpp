// What a fuzz target demands of a kernel's result: libFuzzer reports an abort as a finding.
#pragma once

#include <cstdio>
#include <cstdlib>

// (Clang 14 has no std::source_location with GCC 12's library.)
inline void demand(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: a demand on the result does not hold\n", file, line);
  std::abort();
}
