#include "dedup/word_list.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/tournament.hpp"

namespace corpusprep::ngrams {

namespace {

constexpr FileFormat kWordsFormat{"CPWORDLS", 1, "the word list of a batch"};
constexpr FileFormat kLexiconFormat{"CPLEXICN", 1, "a lexicon"};

constexpr const FileFormat& format_of(WordListKind kind) noexcept {
  return kind == WordListKind::words ? kWordsFormat : kLexiconFormat;
}

WordListHeader parsed(const FileHeader& header) noexcept {
  const auto& f = header.fields;
  return {f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], header.checksum};
}

}  // namespace

void WordListWriter::add(std::string_view word, std::uint64_t frequency) {
  header_.tokens += frequency;
  if (kind_ == WordListKind::lexicon) {
    if (frequency == 1) {
      ++header_.hapaxes;
      return;
    }
    ++histogram_[frequency];
  }
  file_.front_coded(word, previous_);
  file_.varint(frequency);
  ++header_.words;
  if (word.size() <= TableWord::kShort) {
    ++header_.short_words;
  } else {
    header_.long_bytes += word.size();
  }
}

WordListHeader WordListWriter::finish() {
  // Ids have 32 bits, and the highest values have other meanings.
  if (kind_ == WordListKind::lexicon && header_.words > 0xFFFFFFF0) {
    throw std::length_error("more than 4,294,967,280 words that occur twice or more: ids have 32 bits");
  }
  header_.entries_checksum = file_.section_checksum();
  header_.entries_bytes = file_.position() - FileHeader::kBytes;
  file_.start_section();
  std::uint64_t previous = 0;
  for (const auto& [frequency, words] : histogram_) {
    file_.varint(frequency - std::exchange(previous, frequency));
    file_.varint(words);
  }
  header_.frequencies = histogram_.size();
  header_.histogram_checksum = file_.section_checksum();
  header_.histogram_bytes = file_.position() - FileHeader::kBytes - header_.entries_bytes;
  header_.checksum =
      file_.finish(format_of(kind_), {header_.words, header_.hapaxes, header_.tokens, header_.short_words,
                                      header_.long_bytes, header_.entries_bytes, header_.entries_checksum,
                                      header_.frequencies, header_.histogram_bytes, header_.histogram_checksum});
  return header_;
}

WordListReader::WordListReader(const std::string& path, WordListKind kind, std::size_t buffer_bytes)
    : file_(path, buffer_bytes), header_(parsed(file_.header(format_of(kind)))) {
  const std::uint64_t content = file_.size() - FileHeader::kBytes;
  if (header_.entries_bytes > content || header_.histogram_bytes != content - header_.entries_bytes) {
    file_.wrong_length();
  }
  if (header_.short_words > header_.words) {
    damaged("its header is damaged");
  }
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

bool WordListReader::next() {
  if (!std::exchange(started_, true)) file_.start_section(FileHeader::kBytes, header_.entries_bytes);
  if (listed_ == header_.words) {
    file_.finish_section(header_.entries_checksum);
    if (tokens_ + header_.hapaxes != header_.tokens) damaged("its frequencies do not add up");
    return false;
  }
  ++listed_;
  file_.front_coded(word_);
  frequency_ = file_.varint();
  if (frequency_ == 0) damaged("a word in it has no frequency");
  tokens_ += frequency_;
  return true;
}

WordListHeader merge_words(const std::vector<std::string>& paths, const std::string& output, WordListKind kind,
                           std::size_t buffer_bytes) {
  std::vector<WordListReader> lists;
  lists.reserve(paths.size());
  for (const auto& path : paths) lists.emplace_back(path, WordListKind::words, buffer_bytes);
  std::vector<std::uint8_t> going(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) going[i] = lists[i].next();

  WordListWriter writer(output, kind);
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
