# cython: language_level=3
"""Checksums of whole files: those of stage_file.hpp."""

from libc.stdint cimport uint64_t
from libcpp.string cimport string

include "errors.pxi"

import os


cdef extern from *:
    """
    #include <algorithm>
    #include <utility>
    #include "io/stage_file.hpp"

    // The checksum of a file without the bytes from `start` to `end`.
    static std::uint64_t file_checksum(const std::string& path, std::uint64_t start, std::uint64_t end) {
      corpusprep::FileReader file(path);
      corpusprep::Checksum sum;
      for (const auto& [first, last] : {std::pair{std::uint64_t{0}, start}, std::pair{end, file.size()}}) {
        if (first >= last) continue;
        file.start_section(first, last - first);
        while (const auto left = file.left()) {
          const auto* const bytes = file.ahead();
          const auto ready = static_cast<std::size_t>(std::min<std::uint64_t>(left, file.ready()));
          sum.update(bytes, ready);
          file.consume(ready);
        }
      }
      return sum.value();
    }
    """
    uint64_t file_checksum(const string& path, uint64_t start, uint64_t end) except +raise_python_error nogil


def checksum(path, uint64_t start=0, uint64_t end=0):
    cdef string name = os.fsencode(path)
    cdef uint64_t found
    with nogil:
        found = file_checksum(name, start, end)
    return found
