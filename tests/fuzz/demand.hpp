// Checks of a kernel's result in a fuzz target. A failed check aborts, which libFuzzer reports as a finding.
#pragma once

#include <cstdio>
#include <cstdlib>

// Not std::source_location: Clang 14 has none with the library of GCC 12.
inline void demand(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: a demand on the result does not hold\n", file, line);
  std::abort();
}
