// The checksum of gzip (RFC 1952, 8).
#pragma once

#include <cstdint>
#include <string_view>

namespace corpusprep {

// CRC-32 of `data`, as zlib's crc32 gives it. Thread-safe.
std::uint32_t crc32(std::string_view data) noexcept;

}  // namespace corpusprep
