#include "dedup/dedup.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/hash.hpp"
#include "common/prefetch.hpp"
#include "pages/context.hpp"

namespace corpusprep::blocks {

void Deduplicator::LocalSet::clear(std::size_t most) {
  if (slots_.size() < 2 * most) {
    slots_ = std::vector<Slot>();  // so that both never take memory at the same time
    slots_.resize(2 * most);
  }
  ++epoch_;
}

std::size_t Deduplicator::LocalSet::slot(std::uint64_t key) const noexcept {
  const std::size_t size = slots_.size();
  std::size_t i = (mix64(key) >> 32) * size >> 32;
  while (slots_[i].epoch == epoch_ && slots_[i].key != key) i = i + 1 == size ? 0 : i + 1;
  return i;
}

void Deduplicator::LocalSet::insert(std::uint64_t key) noexcept { slots_[slot(key)] = {key, epoch_}; }

bool Deduplicator::LocalSet::contains(std::uint64_t key) const noexcept { return slots_[slot(key)].epoch == epoch_; }

Deduplicator::Deduplicator(std::uint64_t keys, std::uint32_t n, const Choices& choices)
    : n_(n), choices_(choices), bits_(keys / 64 + 1) {}

void Deduplicator::document(const MatchedDocument& document, BlockVerdicts& out) {
  const std::size_t blocks = document.block_counted.size();
  out.covered.assign(blocks, 0);
  out.verdicts.assign(blocks, kKept);
  if (document.matches.empty()) return;
  // The bits are all over the bitmap: they are requested together, not one after another.
  for (const Match& match : document.matches) prefetch_line(&bits_[match.key >> 6]);

  if (choices_.documents) {
    const std::uint64_t covered = cover_document(document, out);
    if (covered > 0 &&
        static_cast<double>(covered) / static_cast<double>(document.order.counted) >= choices_.threshold) {
      out.verdicts.assign(blocks, kDuplicateDocument);
      return;
    }
    if (!choices_.blocks) {
      for (const Match& match : document.matches) mark_seen(match.key);
      return;
    }
  }

  classes_.resize(document.classes.size());
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const bool good = document.classes[i] & kGoodBlock;
    classes_[i] = document.classes[i] & 3;
    if (good && classes_[i] == kBad) classes_[i] = kGood;
    if (!good && classes_[i] == kGood) classes_[i] = kBad;
  }
  find_duplicates(document, out);
  if (choices_.smoothing && std::ranges::find(out.verdicts, kDuplicate) != out.verdicts.end()) {
    find_stubs(document, out);
  }
  if (!choices_.as_written) mark_kept(document, out);
}

std::uint64_t Deduplicator::cover_document(const MatchedDocument& document, BlockVerdicts& out) {
  std::uint64_t sum = 0, start = 0;
  std::size_t first = 0;  // first match that may still overlap the block
  for (std::size_t k = 0; k < document.block_counted.size(); ++k) {
    const std::uint64_t end = start + document.block_counted[k];
    std::uint64_t covered = 0, covered_to = start;
    while (first < document.matches.size() && document.matches[first].position + std::uint64_t{n_} <= start) ++first;
    for (std::size_t i = first; i < document.matches.size() && document.matches[i].position < end; ++i) {
      const std::uint64_t to = std::min(end, document.matches[i].position + std::uint64_t{n_});
      if (to <= covered_to || !seen(document.matches[i].key)) continue;
      covered += to - std::max<std::uint64_t>(covered_to, document.matches[i].position);
      covered_to = to;
    }
    out.covered[k] = static_cast<std::uint32_t>(covered);
    sum += covered;
    start = end;
  }
  return sum;
}

void Deduplicator::find_duplicates(const MatchedDocument& document, BlockVerdicts& out) {
  const std::vector<Match>& matches = document.matches;
  local_.clear(matches.size());
  std::size_t ended = 0;  // matches that ended before the block: those after them may overlap it
  std::uint64_t start = 0, last_duplicate_end = 0;
  std::size_t page_block = 0;
  for (std::size_t k = 0; k < document.block_counted.size(); ++k, ++page_block) {
    while (!(document.classes[page_block] & kGoodBlock)) ++page_block;
    const std::uint64_t end = start + document.block_counted[k];
    // An n-gram that ends after the last duplicate block but overlaps it is not in the output.
    for (; ended < matches.size() && matches[ended].position + std::uint64_t{n_} <= start; ++ended) {
      if (!choices_.as_written && matches[ended].position >= last_duplicate_end) local_.insert(matches[ended].key);
    }
    const auto inside = [&](const Match& match) {
      return match.position >= start && match.position + std::uint64_t{n_} <= end;
    };
    std::uint64_t covered = 0, covered_to = start;
    for (std::size_t i = ended; i < matches.size() && matches[i].position < end; ++i) {
      if (choices_.as_written && !inside(matches[i])) continue;
      const std::uint64_t to = std::min(end, matches[i].position + std::uint64_t{n_});
      if (to <= covered_to || !(seen(matches[i].key) || local_.contains(matches[i].key))) continue;
      covered += to - std::max<std::uint64_t>(covered_to, matches[i].position);
      covered_to = to;
    }
    out.covered[k] = static_cast<std::uint32_t>(covered);
    // Division rounds correctly, so a share that equals the decimal threshold reaches it.
    if (covered > 0 && classes_[page_block] != kShort &&
        static_cast<double>(covered) / static_cast<double>(end - start) >= choices_.threshold) {
      out.verdicts[k] = kDuplicate;
      last_duplicate_end = end;
    } else if (choices_.as_written && classes_[page_block] != kShort) {
      for (std::size_t i = ended; i < matches.size() && matches[i].position < end; ++i) {
        if (inside(matches[i])) mark_seen(matches[i].key);
      }
    }
    start = end;
  }
}

void Deduplicator::find_stubs(const MatchedDocument& document, BlockVerdicts& out) {
  const std::size_t page_blocks = classes_.size();
  good_before_.resize(page_blocks);
  good_after_.resize(page_blocks);
  classify_context(classes_.data(), page_blocks, good_before_.data());
  std::size_t k = 0;
  for (std::size_t i = 0; i < page_blocks; ++i) {
    if (document.classes[i] & kGoodBlock && out.verdicts[k++] == kDuplicate) classes_[i] = kBad;
  }
  classify_context(classes_.data(), page_blocks, good_after_.data());
  k = 0;
  for (std::size_t i = 0; i < page_blocks; ++i) {
    if (!(document.classes[i] & kGoodBlock)) continue;
    if (out.verdicts[k] == kKept && good_before_[i] && !good_after_[i]) out.verdicts[k] = kStub;
    ++k;
  }
}

void Deduplicator::mark_kept(const MatchedDocument& document, const BlockVerdicts& out) {
  std::size_t k = 0;  // first removed block with tokens that ends after the start of the n-gram
  std::uint64_t start = 0;
  for (const Match& match : document.matches) {
    while (k < out.verdicts.size() &&
           (out.verdicts[k] == kKept || start + document.block_counted[k] <= match.position ||
            document.block_counted[k] == 0)) {
      start += document.block_counted[k++];
    }
    if (k == out.verdicts.size() || start >= match.position + std::uint64_t{n_}) {
      mark_seen(match.key);
    }
  }
}

void encode_verdicts(std::uint32_t document, const BlockVerdicts& verdicts, std::string& out) {
  append_u32(out, document);
  append_varint(out, verdicts.verdicts.size());
  for (std::size_t k = 0; k < verdicts.verdicts.size(); ++k) {
    append_varint(out, (std::uint64_t{verdicts.covered[k]} << 3) | verdicts.verdicts[k]);
  }
}

std::uint32_t decode_verdicts(std::string_view record, BlockVerdicts& verdicts) {
  ByteCursor cursor(record);
  const std::uint32_t document = cursor.u32();
  const std::uint64_t blocks = cursor.varint(record.size());
  for (std::uint64_t k = 0; k < blocks; ++k) {
    const std::uint64_t value = cursor.varint((std::uint64_t{UINT32_MAX} << 3) | kNearDuplicate);
    if ((value & 7) > kNearDuplicate) throw DamagedContent("it has an unknown verdict");
    verdicts.covered.push_back(static_cast<std::uint32_t>(value >> 3));
    verdicts.verdicts.push_back(static_cast<std::uint8_t>(value & 7));
  }
  return document;
}

void VerdictTable::feed(std::string_view bytes) {
  reader_.feed(bytes);
  std::string_view record;
  while (reader_.next(record)) {
    const std::size_t before = rows.verdicts.size();
    documents.push_back(decode_verdicts(record, rows));
    blocks.push_back(static_cast<std::uint32_t>(rows.verdicts.size() - before));
  }
}

std::uint64_t document_bytes(std::uint64_t record, std::uint64_t keys) noexcept {
  // The record is held once, and again with an eighth more while its buffer grows. A match takes its own bytes and two
  // slots of the local set. A block has three bytes or more in the record and takes up to 30 bytes in all.
  const std::uint64_t matches = record / key_width(keys);
  return 3 * record + std::max(matches * (sizeof(Match) + 2 * 16), 10 * record);
}

VerdictPass::VerdictPass(std::size_t batches, const StreamHeader& matches, const Choices& choices,
                         std::size_t output_size, std::vector<std::uint8_t> near_duplicates)
    : merge_(batches, matches),
      deduplicator_(matches.keys, matches.n, choices),
      output_size_(output_size),
      near_duplicates_(std::move(near_duplicates)) {
  StreamHeader header = matches;
  header.parameter = std::bit_cast<std::uint64_t>(choices.threshold);
  writers_.assign(batches, FrameWriter(kVerdictsFormat, header));
}

void VerdictPass::decide() {
  const std::uint64_t rank = document_.order.rank;
  if (rank / 8 < near_duplicates_.size() && (near_duplicates_[rank / 8] >> (rank % 8)) & 1) {
    verdicts_.covered.assign(document_.block_counted.size(), 0);
    verdicts_.verdicts.assign(document_.block_counted.size(), kNearDuplicate);
    return;
  }
  deduplicator_.document(document_, verdicts_);
}

WorkState VerdictPass::work() {
  while (!done_) {
    switch (merge_.next()) {
      case MatchMerge::State::needs_input:
        return kNeedsInput;
      case MatchMerge::State::done:
        for (std::size_t batch = 0; batch < writers_.size(); ++batch) {
          writers_[batch].finish(merge_.checksum(batch));
        }
        done_ = true;
        return kDone;
      case MatchMerge::State::record:
        decode(merge_.record(), merge_.header(), true, document_);
        decide();
        record_.clear();
        encode_verdicts(document_.document, verdicts_, record_);
        FrameWriter& writer = writers_[merge_.stream()];
        writer.record(record_);
        ++documents_;
        if (writer.ready().size() >= output_size_) return kHasOutput;
    }
  }
  return kDone;
}

}  // namespace corpusprep::blocks
