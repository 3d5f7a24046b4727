#include "dedup/matches.hpp"

#include <algorithm>

#include "pages/context.hpp"

namespace corpusprep::blocks {

namespace {

[[noreturn]] void inconsistent() {
  throw DamagedContent("its records contradict each other; it was not written by this version");
}

}  // namespace

bool operator<(const DocumentOrder& a, const DocumentOrder& b) noexcept {
  // A document without counted tokens has share 0. Products of two 32-bit counts are exact in 64 bits.
  const std::uint64_t left = static_cast<std::uint64_t>(a.covered) * std::max(b.counted, 1u);
  const std::uint64_t right = static_cast<std::uint64_t>(b.covered) * std::max(a.counted, 1u);
  return left != right ? left < right : a.rank < b.rank;
}

unsigned key_width(std::uint64_t keys) noexcept {
  unsigned width = 1;
  while (width < 8 && keys > (1ULL << (8 * width))) ++width;
  return width;
}

void encode(const MatchedDocument& document, unsigned width, std::string& out) {
  append_u32(out, document.order.covered);
  append_u32(out, document.order.counted);
  append_u64(out, document.order.rank);
  append_u32(out, document.document);
  append_varint(out, document.classes.size());
  out.append(reinterpret_cast<const char*>(document.classes.data()), document.classes.size());
  for (std::size_t k = 0; k < document.block_counted.size(); ++k) {
    append_varint(out, document.block_counted[k]);
    append_varint(out, document.block_tokens[k] - document.block_counted[k]);
  }
  append_varint(out, document.matches.size());
  std::uint32_t expected = 0;
  for (std::size_t i = 0; i < document.matches.size();) {
    std::size_t end = i + 1;
    while (end < document.matches.size() && document.matches[end].position == document.matches[end - 1].position + 1) {
      ++end;
    }
    append_varint(out, document.matches[i].position - expected);
    append_varint(out, end - i);
    expected = document.matches[end - 1].position + 1;
    for (; i < end; ++i) append_bytes(out, document.matches[i].key, width);
  }
}

DocumentOrder decode_order(std::string_view record) {
  ByteCursor cursor(record);
  DocumentOrder order;
  order.covered = cursor.u32();
  order.counted = cursor.u32();
  order.rank = cursor.u64();
  return order;
}

void decode(std::string_view record, const StreamHeader& header, bool matches, MatchedDocument& document) {
  ByteCursor cursor(record);
  document.order.covered = cursor.u32();
  document.order.counted = cursor.u32();
  document.order.rank = cursor.u64();
  document.document = cursor.u32();
  const std::string_view classes = cursor.view(cursor.varint(record.size()));
  document.classes.assign(classes.begin(), classes.end());
  document.block_counted.clear();
  document.block_tokens.clear();
  std::uint64_t counted = 0;
  for (const std::uint8_t block : document.classes) {
    if (!(block & kGoodBlock)) continue;
    const std::uint64_t in_block = cursor.varint(document.order.counted);
    document.block_counted.push_back(static_cast<std::uint32_t>(in_block));
    document.block_tokens.push_back(static_cast<std::uint32_t>(in_block + cursor.varint(UINT32_MAX - in_block)));
    counted += in_block;
  }
  if (counted != document.order.counted || document.order.covered > counted) inconsistent();

  document.matches.clear();
  if (!matches) return;
  const std::uint64_t positions = counted >= header.n ? counted - header.n + 1 : 0;
  const std::uint64_t total = cursor.varint(std::min<std::uint64_t>(positions, cursor.left()));
  const unsigned width = key_width(header.keys);
  if (document.matches.capacity() < total) {
    document.matches = std::vector<Match>();  // so that both never take memory at the same time
    document.matches.reserve(total);
  }
  std::uint64_t position = 0;
  while (document.matches.size() < total) {
    position += cursor.varint(positions);
    const std::uint64_t length = cursor.varint(total - document.matches.size());
    if (length == 0 || position + length > positions) inconsistent();
    for (std::uint64_t i = 0; i < length; ++i, ++position) {
      const std::uint64_t key = cursor.bytes(width);
      if (key >= header.keys) inconsistent();
      document.matches.push_back({static_cast<std::uint32_t>(position), key});
    }
  }
  if (cursor.left() != 0) inconsistent();
}

MatchMerge::MatchMerge(std::size_t streams, const StreamHeader& header)
    : header_(header), streams_(streams, FrameReader(kMatchesFormat)), heads_(streams) {}

bool MatchMerge::Less::operator()(std::size_t a, std::size_t b) const noexcept {
  const Head& left = merge->heads_[a];
  const Head& right = merge->heads_[b];
  return !left.ended && (right.ended || left.order < right.order);
}

// Reads the next record of stream_, or only its place in the order. Returns false if the stream must be fed first.
bool MatchMerge::read_head() {
  FrameReader& reader = streams_[stream_];
  Head& head = heads_[stream_];
  head.ended = !reader.next(head.record);
  if (head.ended && !reader.done()) return false;
  if (!(reader.header() == header_)) throw DamagedContent("it was made with other duplicate n-grams");
  if (head.ended) return true;
  head.order = decode_order(head.record);
  head.dropped = reader.long_frame();
  if (head.dropped) reader.drop();
  return true;
}

MatchMerge::State MatchMerge::next() {
  if (streams_.empty()) return State::done;
  for (; known_ < streams_.size(); ++known_) {
    stream_ = known_;
    if (!read_head()) return State::needs_input;
  }
  Tournament<Less>& tournament = tournament_ ? *tournament_ : tournament_.emplace(streams_.size(), Less{this});
  stream_ = tournament.first();
  if (taken_) {
    if (!read_head()) return State::needs_input;
    taken_ = false;
    tournament.replay();
    stream_ = tournament.first();
  }
  Head& head = heads_[stream_];
  if (head.ended) return State::done;
  if (head.dropped && !streams_[stream_].next(head.record)) return State::needs_input;
  head.dropped = false;
  taken_ = true;
  // This also finds two documents with the same place, whose order would be undefined.
  if (any_ && !(last_ < head.order)) throw DamagedContent("it is not sorted, or shares documents with another file");
  last_ = head.order;
  any_ = true;
  return State::record;
}

RunMerge::RunMerge(std::size_t runs, const StreamHeader& header, std::size_t output_size)
    : merge_(runs, header), writer_(kMatchesFormat, header), output_size_(output_size) {}

WorkState RunMerge::work() {
  while (!done_) {
    switch (merge_.next()) {
      case MatchMerge::State::needs_input:
        return kNeedsInput;
      case MatchMerge::State::done:
        writer_.finish(0);
        done_ = true;
        break;
      case MatchMerge::State::record:
        writer_.record(merge_.record());
        if (writer_.ready().size() >= output_size_) return kHasOutput;
    }
  }
  return kDone;
}

void MatchTable::feed(std::string_view bytes) {
  reader_.feed(bytes);
  std::string_view record;
  while (reader_.next(record)) {
    decode(record, reader_.header(), false, document_);
    documents.push_back(document_.document);
    blocks.push_back(static_cast<std::uint32_t>(document_.block_counted.size()));
    tokens.insert(tokens.end(), document_.block_tokens.begin(), document_.block_tokens.end());
    counted.insert(counted.end(), document_.block_counted.begin(), document_.block_counted.end());
  }
}

}  // namespace corpusprep::blocks
