#include "corpusprep/gzip_members.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>

#include "corpusprep/crc32.hpp"

namespace corpusprep {

namespace {

// A table is looked up with as many bits as most codes have; longer codes go on in a second table. An entry says what
// its code stands for:
//   bits 0-7    bits it takes: the code's (in its table), and the extra bits' of a length or distance
//   bits 8-12   bits of the code alone; of a link, bits that the second table is looked up with
//   bits 13-15  kind
//   bits 16-31  the byte, the least length or distance, or where the second table starts
constexpr std::uint32_t kLiteral = 1 << 13, kLink = 1 << 14, kSpecial = 1 << 15;
constexpr std::uint32_t kEnd = kSpecial | kLiteral;  // of the block
constexpr std::uint32_t kNoCode = kSpecial | 1;      // kSpecial alone; takes a bit, so that nothing runs for ever

constexpr int kLiteralBits = 11, kDistanceBits = 8, kOrderBits = 7;
constexpr int kLongest = 15;  // bits of a code
constexpr std::size_t kLiterals = 288, kDistances = 32, kOrders = 19;
// A second table has at most as many entries as its longest codes span; no set of codes needs more than these.
constexpr std::size_t kLiteralEntries = (1 << kLiteralBits) + 2 * (1 << kLongest) / 16;
constexpr std::size_t kDistanceEntries = (1 << kDistanceBits) + 2 * (1 << kLongest) / 64;

constexpr std::array<std::uint8_t, kOrders> kOrder = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

constexpr auto kLiteralMeanings = [] {
  std::array<std::uint32_t, kLiterals> meanings{};
  for (std::uint32_t symbol = 0; symbol < 256; ++symbol) meanings[symbol] = kLiteral | symbol << 16;
  meanings[256] = kEnd;
  std::uint32_t base = 3;
  for (std::uint32_t symbol = 257; symbol < 285; ++symbol) {
    const std::uint32_t extra = symbol < 265 ? 0 : (symbol - 261) / 4;
    meanings[symbol] = base << 16 | extra;
    base += 1U << extra;
  }
  meanings[285] = 258U << 16;
  meanings[286] = meanings[287] = kNoCode;
  return meanings;
}();

constexpr auto kDistanceMeanings = [] {
  std::array<std::uint32_t, kDistances> meanings{};
  std::uint32_t base = 1;
  for (std::uint32_t symbol = 0; symbol < 30; ++symbol) {
    const std::uint32_t extra = symbol < 4 ? 0 : (symbol - 2) / 2;
    meanings[symbol] = base << 16 | extra;
    base += 1U << extra;
  }
  meanings[30] = meanings[31] = kNoCode;
  return meanings;
}();

constexpr auto kOrderMeanings = [] {
  std::array<std::uint32_t, kOrders> meanings{};
  for (std::uint32_t symbol = 0; symbol < kOrders; ++symbol) meanings[symbol] = symbol << 16;
  return meanings;
}();

constexpr std::uint32_t with_code(std::uint32_t meaning, int bits) noexcept {
  return (meaning & kSpecial && meaning != kEnd) ? kNoCode : meaning + static_cast<std::uint32_t>(bits << 8 | bits);
}

std::uint32_t reversed(std::uint32_t code, int bits) noexcept {
  std::uint32_t result = 0;
  for (; bits; --bits, code >>= 1) result = result << 1 | (code & 1);
  return result;
}

// Fills the tables for the codes of these lengths (RFC 1951, 3.2.2). False if they are no set of prefix codes. A set
// of literals or distances may leave codes unused if it has one code of one bit, or none (as zlib has it).
bool make_table(std::span<const std::uint8_t> lengths, std::span<const std::uint32_t> meanings, int table_bits,
                std::span<std::uint32_t> table) noexcept {
  std::array<std::uint32_t, kLongest + 1> counts{};
  for (const auto length : lengths) ++counts[length];
  counts[0] = 0;
  std::array<std::uint32_t, kLongest + 2> starts{};
  std::int32_t left = 1;  // codes of this length that are not taken
  std::uint32_t used = 0;
  for (int bits = 1; bits <= kLongest; ++bits) {
    left = left * 2 - static_cast<std::int32_t>(counts[bits]);
    if (left < 0) return false;
    starts[bits + 1] = starts[bits] + counts[bits];
    used += counts[bits];
  }
  if (left > 0 && (used > 1 || counts[1] != used || meanings.size() == kOrders)) return false;
  std::array<std::uint16_t, kLiterals> symbols;  // by length, then by number
  {
    auto places = starts;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol]) symbols[places[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
    }
  }
  const std::uint32_t size = 1U << table_bits;
  std::fill_n(table.begin(), size, kNoCode);
  std::uint32_t end = size, code = 0, place = 0;
  std::uint32_t open = size;  // the entry whose second table is being filled
  std::uint32_t second = 0;
  int second_bits = 0;
  for (int bits = 1; bits <= kLongest; ++bits, code <<= 1) {
    for (std::uint32_t k = counts[bits]; k; --k, ++code) {
      const std::uint16_t symbol = symbols[place++];
      const std::uint32_t first = reversed(code, bits);
      if (bits <= table_bits) {
        for (std::uint32_t i = first; i < size; i += 1U << bits) table[i] = with_code(meanings[symbol], bits);
        continue;
      }
      if ((first & (size - 1)) != open) {
        open = first & (size - 1);
        // As many bits as it takes for the codes that are left to fill it.
        second_bits = bits - table_bits;
        std::int32_t room = (1 << second_bits) - static_cast<std::int32_t>(k);
        while (room > 0 && second_bits + table_bits < kLongest) {
          ++second_bits;
          room = room * 2 - static_cast<std::int32_t>(counts[second_bits + table_bits]);
        }
        second = end;
        end += 1U << second_bits;
        if (end > table.size()) return false;
        std::fill_n(table.begin() + second, 1U << second_bits, kNoCode);
        table[open] = kLink | second << 16 | static_cast<std::uint32_t>(second_bits << 8 | table_bits);
      }
      const int rest = bits - table_bits;
      for (std::uint32_t i = first >> table_bits; i < 1U << second_bits; i += 1U << rest) {
        table[second + i] = with_code(meanings[symbol], rest);
      }
    }
  }
  return true;
}

std::uint64_t load64(const unsigned char* bytes) noexcept {
  std::uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  return value;
}

std::uint32_t load32(const unsigned char* bytes) noexcept {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

constexpr std::uint64_t mask(std::uint32_t bits) noexcept { return (std::uint64_t{1} << bits) - 1; }

}  // namespace

class GzipMembers::Decoder {
 public:
  Decoder(int descriptor, std::uint64_t start, std::uint64_t size, std::size_t limit)
      : offset(start), end(start), descriptor_(descriptor), size_(size), limit_(limit), read_(start) {
    input_.reset(new unsigned char[kInput + kPadding]());
    in_ = in_end_ = input_.get();
    grow(kFirstOutput);
  }

  Member next() {
    offset = end;
    length = 0;
    if (!header()) return Member::unsound;
    bits_ = count_ = 0;
    bool last = false;
    while (!last) {
      if (!ready()) return Member::unsound;
      refill();
      last = take(1);
      Member found;
      switch (take(2)) {
        case 0: found = stored(); break;
        case 1: found = fixed() ? compressed() : Member::unsound; break;
        case 2: found = dynamic() ? compressed() : Member::unsound; break;
        default: return Member::unsound;
      }
      if (found != Member::whole) return found;
    }
    if (length > limit_) return Member::too_long;
    give_back();
    if (!more(8)) return Member::unsound;
    const bool sound = load32(in_) == crc32({reinterpret_cast<const char*>(output_.get()), length}) &&
                       load32(in_ + 4) == static_cast<std::uint32_t>(length);
    in_ += 8;
    end = position();
    return sound ? Member::whole : Member::unsound;
  }

  std::uint64_t offset, end;
  std::size_t length = 0;
  std::string_view data() const noexcept { return {reinterpret_cast<const char*>(output_.get()), length}; }

 private:
  static constexpr std::size_t kInput = 128 << 10;
  static constexpr std::size_t kPadding = 64;  // zeros after the input: bits are loaded eight bytes at a time
  static constexpr std::size_t kStep = 32;     // at most what one step of decoding, or a block's head, loads
  static constexpr std::size_t kHeader = 64 << 10;
  static constexpr std::size_t kFirstOutput = 128 << 10;
  static constexpr std::size_t kRoom = 320;  // bytes that one step of decoding may write: a match, rounded up

  std::uint64_t position() const noexcept { return read_ - static_cast<std::uint64_t>(in_end_ - in_); }

  // Makes `count` bytes of input available, if the file has them. No bits may be held.
  bool more(std::size_t count) {
    if (static_cast<std::ptrdiff_t>(count) > in_end_ - in_) load();
    return static_cast<std::ptrdiff_t>(count) <= in_end_ - in_;
  }

  // Moves what is left of the input to the front and reads on.
  void load() {
    if (read_ == size_) return;
    auto filled = static_cast<std::size_t>(in_end_ - in_);  // only at the end of the file are bits loaded from beyond
    std::memmove(input_.get(), in_, filled);
    while (filled < kInput && read_ < size_) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kInput - filled, size_ - read_));
      const auto got = ::pread(descriptor_, input_.get() + filled, wanted, static_cast<off_t>(read_));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        size_ = read_;  // the other reader finds out why
        break;
      }
      filled += static_cast<std::size_t>(got);
      read_ += static_cast<std::uint64_t>(got);
    }
    in_ = input_.get();
    in_end_ = input_.get() + filled;
    std::memset(input_.get() + filled, 0, kPadding);
  }

  // Sees to it that a step can load what it needs; false if the input has ended before the member.
  bool ready() {
    if (in_end_ - in_ < static_cast<std::ptrdiff_t>(kStep)) {
      load();
      return in_ <= in_end_ + 8;
    }
    return true;
  }

  void refill() noexcept {
    bits_ |= load64(in_) << count_;
    in_ += (63 - count_) >> 3;
    count_ |= 56;
  }

  std::uint32_t take(std::uint32_t count) noexcept {
    const auto value = static_cast<std::uint32_t>(bits_ & mask(count));
    bits_ >>= count;
    count_ -= count;
    return value;
  }

  // Ends at a byte; the bytes that are held as bits become input again.
  void give_back() noexcept {
    in_ -= count_ >> 3;
    bits_ = count_ = 0;
  }

  void grow(std::size_t capacity) {
    std::unique_ptr<unsigned char[]> larger(new unsigned char[capacity]);
    if (length) std::memcpy(larger.get(), output_.get(), length);
    output_ = std::move(larger);
    capacity_ = capacity;
  }

  // Room for `count` bytes more of output; false if that would be over the limit.
  bool room(std::size_t count) {
    if (length > limit_) return false;
    if (capacity_ - length < count) grow(std::max(capacity_ * 2, length + count));
    return true;
  }

  bool header() {
    more(kHeader);
    const auto* begin = in_;
    if (in_end_ - in_ < 18 || begin[0] != 0x1F || begin[1] != 0x8B || begin[2] != 8) return false;
    const unsigned flags = begin[3];
    if (flags & ~0x1CU) return false;  // text and header checksum: not even crawlers' own tools write them
    in_ += 10;
    if (flags & 4) {
      const std::ptrdiff_t extra = in_[0] | in_[1] << 8;
      if (in_end_ - in_ < extra + 2) return false;
      in_ += extra + 2;
    }
    for (const unsigned flag : {8U, 16U}) {  // name, comment
      if (!(flags & flag)) continue;
      const auto left = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, in_end_ - in_));
      const auto* zero = left ? static_cast<const unsigned char*>(std::memchr(in_, 0, left)) : nullptr;
      if (!zero) return false;
      in_ = zero + 1;
    }
    return true;
  }

  Member stored() {
    take(count_ & 7);
    give_back();
    if (!more(4)) return Member::unsound;
    std::size_t left = in_[0] | in_[1] << 8;
    if ((left ^ 0xFFFF) != static_cast<std::size_t>(in_[2] | in_[3] << 8)) return Member::unsound;
    in_ += 4;
    while (left) {
      if (!more(1)) return Member::unsound;
      const auto piece = std::min(left, static_cast<std::size_t>(in_end_ - in_));
      if (!room(piece + kRoom)) return Member::too_long;
      std::memcpy(output_.get() + length, in_, piece);
      length += piece;
      in_ += piece;
      left -= piece;
    }
    return Member::whole;
  }

  bool fixed() noexcept {
    if (!fixed_) {
      std::array<std::uint8_t, kLiterals> lengths;
      std::fill_n(lengths.begin(), 144, std::uint8_t{8});
      std::fill_n(lengths.begin() + 144, 112, std::uint8_t{9});
      std::fill_n(lengths.begin() + 256, 24, std::uint8_t{7});
      std::fill_n(lengths.begin() + 280, 8, std::uint8_t{8});
      std::array<std::uint8_t, kDistances> distances;
      distances.fill(5);
      make_table(lengths, kLiteralMeanings, kLiteralBits, literals_);
      make_table(distances, kDistanceMeanings, kDistanceBits, distances_);
    }
    return fixed_ = true;
  }

  // The codes of a block that brings its own (RFC 1951, 3.2.7).
  bool dynamic() {
    fixed_ = false;
    const std::uint32_t literals = take(5) + 257, distances = take(5) + 1, orders = take(4) + 4;
    if (literals > 286 || distances > 30) return false;
    std::array<std::uint8_t, kOrders> order_lengths{};
    for (std::uint32_t i = 0; i < orders; ++i) {
      if (count_ < 3) refill();
      order_lengths[kOrder[i]] = static_cast<std::uint8_t>(take(3));
    }
    std::array<std::uint32_t, 1 << kOrderBits> order_table;
    if (!make_table(order_lengths, kOrderMeanings, kOrderBits, order_table)) return false;
    std::array<std::uint8_t, kLiterals + kDistances> lengths;
    for (std::uint32_t i = 0; i < literals + distances;) {
      if (!ready()) return false;
      refill();
      const std::uint32_t entry = order_table[bits_ & mask(kOrderBits)];
      if (entry & kSpecial) return false;
      take(entry & 0xFF);
      const std::uint32_t symbol = entry >> 16;
      if (symbol < 16) {
        lengths[i++] = static_cast<std::uint8_t>(symbol);
        continue;
      }
      if (symbol == 16 && !i) return false;
      const std::uint8_t repeated = symbol == 16 ? lengths[i - 1] : std::uint8_t{0};
      const std::uint32_t times = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7);
      if (i + times > literals + distances) return false;
      std::fill_n(lengths.begin() + i, times, repeated);
      i += times;
    }
    const std::span all(lengths);
    return lengths[256] && make_table(all.first(literals), kLiteralMeanings, kLiteralBits, literals_) &&
           make_table(all.subspan(literals, distances), kDistanceMeanings, kDistanceBits, distances_);
  }

  // Decodes a block by the tables. A step takes at most 48 bits: 15 for a length's code, 5 more, 15 for a distance's, 13
  // more; or three codes of the first table, 33.
  Member compressed() {
    auto* out = output_.get() + length;
    const auto* out_safe = output_.get() + capacity_ - kRoom;
    const auto* in_safe = in_end_ - kStep;
    const auto* in = in_;
    std::uint64_t bits = bits_;
    std::uint32_t count = count_;
    const auto leave = [&](Member found) {
      in_ = in;
      bits_ = bits;
      count_ = count;
      length = static_cast<std::size_t>(out - output_.get());
      return found;
    };
    for (;;) {
      if (in > in_safe || out > out_safe) [[unlikely]] {
        leave(Member::whole);
        if (!ready()) return Member::unsound;
        if (!room(2 * kRoom)) return Member::too_long;
        out = output_.get() + length;
        out_safe = output_.get() + capacity_ - kRoom;
        in = in_;
        in_safe = read_ < size_ ? in_end_ - kStep : in_end_ + 8;
      }
      bits |= load64(in) << count;
      in += (63 - count) >> 3;
      count |= 56;
      std::uint32_t entry = literals_[bits & mask(kLiteralBits)];
      if (entry & kLiteral && !(entry & kSpecial)) {
        *out++ = static_cast<unsigned char>(entry >> 16);
        bits >>= entry & 0xFF;
        count -= entry & 0xFF;
        entry = literals_[bits & mask(kLiteralBits)];
        if (entry & kLiteral && !(entry & kSpecial)) {
          *out++ = static_cast<unsigned char>(entry >> 16);
          bits >>= entry & 0xFF;
          count -= entry & 0xFF;
          entry = literals_[bits & mask(kLiteralBits)];
          if (entry & kLiteral && !(entry & kSpecial)) {
            *out++ = static_cast<unsigned char>(entry >> 16);
            bits >>= entry & 0xFF;
            count -= entry & 0xFF;
            continue;
          }
        }
        bits |= load64(in) << count;
        in += (63 - count) >> 3;
        count |= 56;
      }
      if (entry & (kLink | kSpecial)) {
        if (entry & kLink) {
          bits >>= kLiteralBits;
          count -= kLiteralBits;
          entry = literals_[(entry >> 16) + (bits & mask(entry >> 8 & 0x1F))];
        }
        if (entry & (kLiteral | kSpecial)) {
          bits >>= entry & 0xFF;
          count -= entry & 0xFF;
          if (!(entry & kSpecial)) {
            *out++ = static_cast<unsigned char>(entry >> 16);
            continue;
          }
          return leave(entry & kLiteral ? Member::whole : Member::unsound);
        }
      }
      std::size_t match = (entry >> 16) + ((bits & mask(entry & 0xFF)) >> (entry >> 8 & 0x1F));
      bits >>= entry & 0xFF;
      count -= entry & 0xFF;
      entry = distances_[bits & mask(kDistanceBits)];
      if (entry & kLink) {
        bits >>= kDistanceBits;
        count -= kDistanceBits;
        entry = distances_[(entry >> 16) + (bits & mask(entry >> 8 & 0x1F))];
      }
      if (entry & kSpecial) [[unlikely]] return leave(Member::unsound);
      const std::size_t distance = (entry >> 16) + ((bits & mask(entry & 0xFF)) >> (entry >> 8 & 0x1F));
      bits >>= entry & 0xFF;
      count -= entry & 0xFF;
      if (distance > static_cast<std::size_t>(out - output_.get())) [[unlikely]] return leave(Member::unsound);
      const auto* from = out - distance;
      auto* const stop = out + match;
      if (distance >= 16) {
        do {
          std::memcpy(out, from, 16);
          out += 16;
          from += 16;
        } while (out < stop);
      } else if (distance >= 8) {
        do {
          std::memcpy(out, from, 8);
          out += 8;
          from += 8;
        } while (out < stop);
      } else if (distance == 1) {
        std::memset(out, *from, match);
      } else {
        do *out++ = *from++;
        while (out < stop);
      }
      out = stop;
    }
  }

  int descriptor_;
  std::uint64_t size_;
  std::size_t limit_;
  std::uint64_t read_;  // offset in the file of what follows the input
  std::unique_ptr<unsigned char[]> input_;
  const unsigned char* in_ = nullptr;
  const unsigned char* in_end_ = nullptr;
  std::unique_ptr<unsigned char[]> output_;
  std::size_t capacity_ = 0;
  std::uint64_t bits_ = 0;   // read and not yet used, the next one lowest
  std::uint32_t count_ = 0;  // of them; above it are bits of the byte at in_
  bool fixed_ = false;       // the tables are those of blocks without codes of their own
  std::array<std::uint32_t, kLiteralEntries> literals_;
  std::array<std::uint32_t, kDistanceEntries> distances_;
};

GzipMembers::GzipMembers(int descriptor, std::uint64_t start, std::uint64_t size, std::size_t limit)
    : decoder_(new Decoder(descriptor, start, size, limit)) {}
GzipMembers::~GzipMembers() = default;
Member GzipMembers::next() { return decoder_->next(); }
std::uint64_t GzipMembers::offset() const noexcept { return decoder_->offset; }
std::uint64_t GzipMembers::end() const noexcept { return decoder_->end; }
std::string_view GzipMembers::data() const noexcept { return decoder_->data(); }

}  // namespace corpusprep
