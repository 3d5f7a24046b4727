#include "dedup/word_list.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "common/tournament.hpp"

namespace corpusprep::ngrams {

namespace {

constexpr FileFormat kWordsFormat{"CPWORDLS", 2, "the word list of a batch"};
constexpr FileFormat kLexiconFormat{"CPLEXICN", 2, "a lexicon"};

constexpr const FileFormat& format_of(WordListKind kind) noexcept {
  return kind == WordListKind::words ? kWordsFormat : kLexiconFormat;
}

WordListHeader parsed(const FileHeader& header) noexcept {
  const auto& f = header.fields;
  return {f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], header.checksum};
}

}  // namespace

void WordListWriter::add(std::string_view word, std::uint64_t frequency) {
  if (kind_ == WordListKind::lexicon) {
    if (frequency == 1) return add_hapaxes(1);
    ++histogram_[frequency];
  }
  if (blocks_.empty() || file_.position() - block_start_ >= block_bytes_) {
    finish_block();
    blocks_.push_back({std::string(word), 0, 0});
    previous_.clear();
  }
  file_.front_coded(word, previous_);
  file_.varint(frequency);
  ++header_.words;
  header_.tokens += frequency;
}

void WordListWriter::add_hapaxes(std::uint64_t words) noexcept {
  header_.hapaxes += words;
  header_.tokens += words;
}

void WordListWriter::finish_block() {
  if (!blocks_.empty()) {
    blocks_.back().bytes = file_.position() - block_start_;
    blocks_.back().checksum = file_.section_checksum();
  }
  file_.start_section();
  block_start_ = file_.position();
}

WordListHeader WordListWriter::finish() {
  // Ids have 32 bits, and the highest values have other meanings.
  if (kind_ == WordListKind::lexicon && header_.words > 0xFFFFFFF0) {
    throw std::length_error("more than 4,294,967,280 words that occur twice or more: ids have 32 bits");
  }
  finish_block();
  header_.entries_bytes = file_.position() - FileHeader::kBytes;
  std::uint64_t previous = 0;
  for (const auto& [frequency, words] : histogram_) {
    file_.varint(frequency - std::exchange(previous, frequency));
    file_.varint(words);
  }
  header_.frequencies = histogram_.size();
  header_.histogram_checksum = file_.section_checksum();
  header_.histogram_bytes = file_.position() - FileHeader::kBytes - header_.entries_bytes;
  file_.start_section();
  previous_.clear();
  for (const WordBlock& block : blocks_) {
    file_.front_coded(block.first, previous_);
    file_.varint(block.bytes);
    file_.append(&block.checksum, sizeof block.checksum);
  }
  header_.blocks = blocks_.size();
  header_.index_checksum = file_.section_checksum();
  header_.checksum = file_.finish(
      format_of(kind_), {header_.words, header_.hapaxes, header_.tokens, header_.entries_bytes, header_.frequencies,
                         header_.histogram_bytes, header_.histogram_checksum, header_.blocks, header_.index_checksum});
  return header_;
}

WordListReader::WordListReader(const std::string& path, WordListKind kind, std::size_t buffer_bytes)
    : file_(path, buffer_bytes), header_(parsed(file_.header(format_of(kind)))), offset_(FileHeader::kBytes) {
  const std::uint64_t content = file_.size() - FileHeader::kBytes;
  if (header_.entries_bytes > content || header_.histogram_bytes > content - header_.entries_bytes) {
    file_.wrong_length();
  }
  const std::uint64_t before = header_.entries_bytes + header_.histogram_bytes;
  file_.start_section(FileHeader::kBytes + before, content - before);
  std::uint64_t bytes = 0;
  while (blocks_.size() != header_.blocks) {
    WordBlock block;
    file_.front_coded(word_);
    block.first = word_;
    block.bytes = file_.varint();
    file_.read(&block.checksum, sizeof block.checksum);
    if (block.bytes == 0 || block.bytes > header_.entries_bytes - bytes) damaged("its index is damaged");
    bytes += block.bytes;
    blocks_.push_back(std::move(block));
  }
  if (bytes != header_.entries_bytes) damaged("its index is damaged");
  file_.finish_section(header_.index_checksum);
  word_.clear();
}

std::map<std::uint64_t, std::uint64_t> WordListReader::histogram() {
  std::map<std::uint64_t, std::uint64_t> words_of;
  file_.start_section(FileHeader::kBytes + header_.entries_bytes, header_.histogram_bytes);
  std::uint64_t frequency = 0;
  for (std::uint64_t i = 0; i < header_.frequencies; ++i) {
    frequency += file_.varint();
    words_of[frequency] = file_.varint();
  }
  file_.finish_section(header_.histogram_checksum);
  return words_of;
}

void WordListReader::limit_to(WordRange range) {
  whole_ = range.from.empty() && range.to.empty();
  // The first word of the range is in the last block that does not start behind it. The others are forgotten: the
  // indexes of all lists that are merged may be large.
  std::size_t first = 0, end = blocks_.size();
  for (; first + 1 < end && blocks_[first + 1].first <= range.from; ++first) offset_ += blocks_[first].bytes;
  while (!range.to.empty() && end != first && blocks_[end - 1].first >= range.to) --end;
  blocks_ = {std::move_iterator(blocks_.begin() + static_cast<std::ptrdiff_t>(first)),
             std::move_iterator(blocks_.begin() + static_cast<std::ptrdiff_t>(end))};
  range_ = std::move(range);
}

bool WordListReader::read_entry() {
  if (in_block_ && file_.left() == 0) {
    file_.finish_section(blocks_[block_ - 1].checksum);
    in_block_ = false;
  }
  if (!in_block_) {
    if (block_ == blocks_.size()) return false;
    const WordBlock& block = blocks_[block_++];
    file_.start_section(offset_, block.bytes);
    offset_ += block.bytes;
    in_block_ = true;
    last_.swap(word_);
    word_.clear();
    file_.front_coded(word_);
    if (word_ != block.first || word_ <= last_) damaged("its words are out of order");
  } else {
    file_.front_coded(word_);
  }
  frequency_ = file_.varint();
  if (frequency_ == 0) damaged("a word in it has no frequency");
  ++listed_;
  tokens_ += frequency_;
  return true;
}

bool WordListReader::next() {
  while (read_entry()) {
    // What the last block has behind the range is read, too, so that its checksum is compared.
    if (whole_ || (word_ >= range_.from && (range_.to.empty() || word_ < range_.to))) return true;
  }
  if (whole_ && (listed_ != header_.words || tokens_ + header_.hapaxes != header_.tokens)) {
    damaged("its frequencies do not add up");
  }
  return false;
}

WordRange word_range(const std::vector<std::string>& paths, std::size_t part, std::size_t parts) {
  if (parts == 1) return {};
  std::vector<std::pair<std::string, std::uint64_t>> blocks;
  std::uint64_t bytes = 0;
  for (const auto& path : paths) {
    const WordListReader list(path, WordListKind::words, FileReader::kLookahead);
    for (const WordBlock& block : list.blocks()) {
      blocks.emplace_back(block.first, block.bytes);
      bytes += block.bytes;
    }
  }
  std::ranges::sort(blocks);
  // The first word of the last block that has at most a share of all bytes before it.
  const auto start = [&](std::size_t of) -> std::string {
    if (of == 0 || of == parts || blocks.empty()) return {};
    const auto before = static_cast<std::uint64_t>(static_cast<unsigned __int128>(bytes) * of / parts);
    std::uint64_t passed = 0;
    std::size_t block = 0;
    while (block + 1 < blocks.size() && passed + blocks[block].second <= before) passed += blocks[block++].second;
    return blocks[block].first;
  };
  return {start(part), start(part + 1)};
}

WordListHeader merge_words(const std::vector<std::string>& paths, const std::string& output, WordListKind kind,
                           std::size_t buffer_bytes, const WordRange& range, std::size_t block_bytes) {
  std::vector<WordListReader> lists;
  lists.reserve(paths.size());
  for (const auto& path : paths) lists.emplace_back(path, WordListKind::words, buffer_bytes).limit_to(range);
  std::vector<std::uint8_t> going(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) going[i] = lists[i].next();

  WordListWriter writer(output, kind, block_bytes);
  Tournament order(lists.size(), [&](std::size_t a, std::size_t b) {
    return going[a] != 0 && (going[b] == 0 || lists[a].word() < lists[b].word());
  });
  std::string word;
  while (!lists.empty() && going[order.first()] != 0) {
    word.assign(lists[order.first()].word());
    std::uint64_t frequency = 0;
    do {
      auto& list = lists[order.first()];
      frequency += list.frequency();
      going[order.first()] = list.next();
      order.replay();
    } while (going[order.first()] != 0 && lists[order.first()].word() == word);
    writer.add(word, frequency);
  }
  return writer.finish();
}

WordListHeader join_lexicons(const std::vector<std::string>& parts, const std::string& output) {
  WordListWriter writer(output, WordListKind::lexicon);
  std::string last;
  for (const auto& path : parts) {
    WordListReader list(path, WordListKind::lexicon);
    if (!list.blocks().empty() && list.blocks().front().first <= last) list.damaged("its words are out of order");
    while (list.next()) writer.add(list.word(), list.frequency());
    if (list.header().words != 0) last.assign(list.word());
    writer.add_hapaxes(list.header().hapaxes);
  }
  return writer.finish();
}

void WordCounter::write(const std::string& path) {
  using Reference = WordTable<std::uint64_t>::Reference;
  std::vector<Reference> order;
  order.reserve(table_.size());
  table_.entries([&](const Reference& reference) { order.push_back(reference); });
  std::array<char, 8> left, right;
  std::ranges::sort(order, [&](const Reference& a, const Reference& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : table_.word(a, left) < table_.word(b, right);
  });
  WordListWriter writer(path, WordListKind::words);
  if (tokens_) tokens_->start_words();
  for (const Reference& reference : order) {
    const std::string_view word = table_.word(reference, left);
    const std::uint64_t value = table_.value(reference), id = value & kUncounted;
    writer.add(word, value / kOnce);
    if (tokens_ && id != kUncounted) tokens_->add_word(word, static_cast<std::uint32_t>(id));
  }
  if (tokens_) tokens_->finish_section();
  writer.finish();
  table_.clear();
  next_id_ = seen_ = 0;
}

void WordCounter::close() {
  if (tokens_) tokens_->finish(documents_);
  if (keys_) keys_->finish();
}

}  // namespace corpusprep::ngrams
