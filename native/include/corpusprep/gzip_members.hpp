// The members of a gzip file, one after another, each decoded whole and verified (RFC 1951, RFC 1952).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace corpusprep {

enum class Member {
  whole,     // decoded; its checksum and length are right
  too_long,  // decodes to more than the limit
  unsound,   // damaged, cut short, no gzip, or of a kind that no tool writes into archives
};

// Takes no responsibility for what is not sound: a slower reader has to say what is wrong with it, and what of it
// can be had. Memory: what the longest member decodes to, up to twice the limit.
class GzipMembers {
 public:
  // The members from offset `start` on of a file of `size` bytes that is open for reading as `descriptor`, which must
  // stay open; its position is not moved. `limit`: of decoded bytes a member.
  GzipMembers(int descriptor, std::uint64_t start, std::uint64_t size, std::size_t limit);
  ~GzipMembers();
  GzipMembers(const GzipMembers&) = delete;
  GzipMembers& operator=(const GzipMembers&) = delete;

  // Decodes the member that begins at end(). After anything but `whole`, offset(), end() and data() mean nothing.
  Member next();

  // Where the member begins and ends in the file; both `start` at first.
  std::uint64_t offset() const noexcept;
  std::uint64_t end() const noexcept;
  // Its decoded bytes; valid until the next call of next().
  std::string_view data() const noexcept;

 private:
  class Decoder;
  std::unique_ptr<Decoder> decoder_;
};

}  // namespace corpusprep
