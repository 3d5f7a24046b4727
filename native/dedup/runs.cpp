#include "dedup/runs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "common/prefetch.hpp"
#include "dedup/lexicon.hpp"
#include "dedup/word_list.hpp"

namespace corpusprep::ngrams {

namespace {

std::uint64_t load_group(const unsigned char* bytes) noexcept {
  std::uint64_t group;
  std::memcpy(&group, bytes, 8);
  return __builtin_bswap64(group);
}

void store_group(unsigned char* bytes, std::uint64_t group) noexcept {
  group = __builtin_bswap64(group);
  std::memcpy(bytes, &group, 8);
}

// Bytes of a code that are copied at once: enough for most n-grams.
constexpr std::size_t kCopied = 32;

}  // namespace

RunsHeader read_runs_header(const std::string& path) {
  FileReader file(path);
  const auto [n, lexicon, selection, documents, tokens, ngrams, hapaxes, runs, index, index_checksum, parts, f11, f12] =
      file.header(kRunsFormat).fields;
  if (n == 0 || n > kLongestNgram || parts == 0 || parts > kMostParts || runs % parts != 0) {
    file.damaged("its header is damaged");
  }
  const RunsHeader header{n,         lexicon, selection,
                          documents, tokens,  ngrams,
                          hapaxes,   parts,   file.index<RunSpan>({runs, index, index_checksum})};
  std::uint64_t offset = FileHeader::kBytes;
  for (const auto& span : header.runs) {
    if (span.offset != offset) file.damaged("its index is damaged");
    offset += span.bytes;
  }
  if (offset != index) file.damaged("its index is damaged");
  return header;
}

void RunsWriter::start_run() {
  file_.start_section();
  spans_.push_back({file_.position(), 0, 0, 0});
  previous_ = {};
}

void RunsWriter::add(const NgramCode& code, std::uint64_t count) {
  const std::size_t groups = code.used_groups();
  std::size_t group = 0;
  while (group < groups && code.groups[group] == previous_.groups[group]) ++group;
  std::size_t shared = group * 8;
  if (group < groups) {
    shared += static_cast<std::size_t>(std::countl_zero(code.groups[group] ^ previous_.groups[group])) / 8;
  }
  // The first entry shares nothing.
  shared = std::min<std::size_t>(shared, previous_.bytes);

  unsigned char bytes[kMostGroups * 8 + kCopied];
  for (std::size_t g = shared / 8; g < groups; ++g) {
    store_group(bytes + 8 * g, code.groups[g]);
    previous_.groups[g] = code.groups[g];
  }
  previous_.bytes = code.bytes;

  const std::size_t length = code.bytes - shared;
  unsigned char* const start = file_.room();
  unsigned char* out = start;
  out += put_varint(out, shared);
  out += put_varint(out, 2 * length + (count > 1 ? 1 : 0));
  for (std::size_t i = 0; i < length; i += kCopied) std::memcpy(out + i, bytes + shared + i, kCopied);
  out += length;
  if (count > 1) out += put_varint(out, count - 2);
  file_.wrote(static_cast<std::size_t>(out - start));
  ++spans_.back().entries;
}

void RunsWriter::finish_run() {
  auto& span = spans_.back();
  span.bytes = file_.position() - span.offset;
  span.checksum = file_.section_checksum();
}

void RunsWriter::add_chunk(SuffixSorter& sorter, std::uint32_t parts) {
  std::uint32_t open = 0;
  const auto next = [&] {
    finish_run();
    start_run();
    ++open;
  };
  start_run();
  sorter.sort([&](const NgramCode& code, std::uint64_t count, std::uint32_t part) {
    while (open < part) next();
    add(code, count);
  });
  while (open + 1 < parts) next();
  finish_run();
}

void RunsWriter::finish(const RunsHeader& header) {
  const FileIndex index = file_.index(spans_);
  file_.finish(kRunsFormat, {header.n, header.lexicon, header.selection, header.documents, header.tokens, header.ngrams,
                             header.hapaxes, index.rows, index.offset, index.checksum, header.parts});
}

RunReader::RunReader(const std::string& path, const RunSpan& span, std::uint32_t n, std::size_t buffer_bytes)
    : file_(path, buffer_bytes), span_(span), most_bytes_((n * kLongestCode + 7) / 8) {
  file_.start_section(span.offset, span.bytes);
}

Varint RunReader::long_number(const unsigned char* bytes) const {
  const Varint number = get_varint(bytes, bytes + kLongestVarint);
  if (number.next == nullptr) damaged("a number in it is damaged");
  return number;
}

bool RunReader::next() {
  if (taken_ == span_.entries) {
    file_.finish_section(span_.checksum);
    return false;
  }
  const unsigned char* const start = file_.ahead();
  const auto [shared, behind_shared] = number(start);
  const auto [rest, behind_rest] = number(behind_shared);
  const unsigned char* bytes = behind_rest;
  const std::uint64_t length = rest >> 1;
  if (shared > code_.bytes || length == 0 || length > most_bytes_ - shared) damaged("an n-gram in it is damaged");
  // The group where the shared prefix ends keeps its bytes up to there. All later groups are new.
  std::size_t group = shared / 8;
  const unsigned bits = 8 * (shared % 8);
  const std::uint64_t kept = bits == 0 ? 0 : code_.groups[group] & ~(~std::uint64_t{0} >> bits);
  const std::uint64_t before = code_.groups[group] << bits >> 56;
  if (taken_ != 0 && (shared == code_.bytes || *bytes <= before)) damaged("its n-grams are out of order");
  code_.bytes = static_cast<std::uint32_t>(shared + length);
  code_.groups[group++] = kept | load_group(bytes) >> bits;
  const std::size_t groups = code_.used_groups();
  for (std::ptrdiff_t next = 8 - bits / 8; group < groups; next += 8) code_.groups[group++] = load_group(bytes + next);
  if (code_.bytes % 8 != 0) code_.groups[groups - 1] &= ~(~std::uint64_t{0} >> (8 * (code_.bytes % 8)));
  bytes += length;
  count_ = 1;
  if ((rest & 1) != 0) {
    const auto [more, behind_more] = number(bytes);
    if (more > ~std::uint64_t{0} - 2) damaged("a count in it is damaged");
    count_ = more + 2;
    bytes = behind_more;
  }
  file_.consume(static_cast<std::size_t>(bytes - start));

  ++taken_;
  return true;
}

StreamRunBuilder::StreamRunBuilder(const std::string& path, const std::string& tokens, const std::string& lexicon,
                                   std::uint32_t n, std::size_t chunk_tokens, std::uint32_t parts)
    : path_(tokens),
      lexicon_(lexicon),
      n_(n),
      parts_(n, parts),
      sorter_(chunk_tokens, n, parts),
      writer_(path),
      rolling_(n) {
  const WordListReader words(lexicon, WordListKind::lexicon);
  const TokenStreamHeader stream = read_token_stream_header(tokens);
  header_.n = n;
  header_.lexicon = words.header().checksum;
  header_.selection = stream.selection;
  header_.documents = stream.documents;
  header_.parts = parts;
  ids_.resize(stream.most_words + 1);
  word_keys_.resize(stream.most_words + 1);
}

void StreamRunBuilder::start(const CandidateFilter* filter) {
  filter_ = filter;
  reader_ = std::make_unique<TokenStreamReader>(path_);
  section_open_ = false;
  document_tokens_ = tokens_ = ngrams_ = hapaxes_ = 0;
  rolling_.reset();
  adjacent_ = false;
}

// Both lists of words are in the order of their bytes, so they are merged.
bool StreamRunBuilder::next_section() {
  if (!reader_->next_section()) return false;
  WordListReader lexicon(lexicon_, WordListKind::lexicon);
  IdSequence sequence(lexicon);
  bool listed = true;
  std::uint32_t id = 0;
  const auto next = [&] {
    listed = lexicon.next();
    if (listed) id = sequence.next(lexicon.frequency());
  };
  next();
  while (reader_->next_word()) {
    const std::string& word = reader_->word();
    while (listed && lexicon.word() < std::string_view(word)) next();
    ids_[reader_->word_id()] = listed && lexicon.word() == std::string_view(word) ? id : kNone;
    word_keys_[reader_->word_id()] = word_key(word);
  }
  while (listed) next();  // to the end, where the checksum is compared
  return true;
}

bool StreamRunBuilder::advance() {
  std::array<std::uint32_t, kPiece> tokens;
  for (std::size_t piece = 0; piece < kStep; ++piece) {
    if (!section_open_) section_open_ = next_section();
    if (!section_open_) {
      count_document();
      end_segment();
      if (!sorter_.empty()) flush();
      header_.tokens = tokens_;
      header_.ngrams = ngrams_;
      header_.hapaxes = hapaxes_;
      return false;
    }
    const std::size_t count = reader_->read(tokens.data(), tokens.size());
    section_open_ = count != 0;
    if (filter_ == nullptr) {
      all(tokens.data(), count);
    } else {
      passed(tokens.data(), count);
    }
  }
  return true;
}

void StreamRunBuilder::count_document() noexcept {
  tokens_ += document_tokens_;
  if (document_tokens_ >= n_) ngrams_ += document_tokens_ - n_ + 1;
  document_tokens_ = 0;
}

void StreamRunBuilder::all(const std::uint32_t* tokens, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (tokens[i] == 0) {
      count_document();
      end_segment();
      continue;
    }
    ++document_tokens_;
    const std::uint32_t id = ids_[tokens[i] - 1];
    if (id == kNone) {
      ++hapaxes_;
      end_segment();
    } else {
      if (sorter_.full()) flush();
      sorter_.append(id, parts_.push(word_keys_[tokens[i] - 1]));
    }
  }
}

void StreamRunBuilder::passed(const std::uint32_t* tokens, std::size_t count) {
  struct Tested {
    std::uint32_t place;
    std::uint32_t rest;
    const std::uint64_t* filter_cell;
  };
  std::array<Tested, kPiece> tested;
  std::size_t tests = 0;
  std::uint32_t* const ids = history_.data() + kLongestNgram;
  std::uint64_t* const keys = key_history_.data() + kLongestNgram;
  for (std::size_t i = 0; i < count; ++i) {
    if (tokens[i] == 0) {
      count_document();
      rolling_.reset();
      ids[i] = kNone;
      continue;
    }
    ++document_tokens_;
    const std::uint32_t id = ids_[tokens[i] - 1];
    ids[i] = id;
    keys[i] = word_keys_[tokens[i] - 1];
    if (id == kNone) {
      ++hapaxes_;
      rolling_.reset();
    } else if (rolling_.push(word_keys_[tokens[i] - 1])) {
      const PartitionKey key = PartitionKey::of(rolling_.number());
      tested[tests] = {static_cast<std::uint32_t>(i), key.rest, filter_->cell(key)};
      prefetch_line(tested[tests].filter_cell);
      ++tests;
    }
  }
  // The place after the n-gram taken last. N-grams that follow each other are taken as one sequence of ids.
  std::size_t behind = adjacent_ ? 0 : kPiece + 1;
  for (std::size_t t = 0; t < tests; ++t) {
    const auto [place, rest, filter_cell] = tested[t];
    const std::uint64_t bits = CandidateFilter::bits_of(rest);
    if ((*filter_cell & bits) != bits) continue;
    std::ptrdiff_t from = place;
    if (behind != place) {
      end_segment();
      from -= n_ - 1;
    }
    for (const std::uint32_t* id = ids + from; id < ids + place; ++id) {
      if (sorter_.full()) flush();
      sorter_.append(*id, 0);
    }
    if (sorter_.full()) flush();
    sorter_.append(ids[place], parts_.of(keys + place - (n_ - 1)));
    behind = place + 1;
  }
  adjacent_ = behind == count;
  std::copy_n(history_.begin() + static_cast<std::ptrdiff_t>(count), kLongestNgram, history_.begin());
  std::copy_n(key_history_.begin() + static_cast<std::ptrdiff_t>(count), kLongestNgram, key_history_.begin());
}

void StreamRunBuilder::end_segment() {
  parts_.reset();
  while (!sorter_.end_segment()) flush();
}

void StreamRunBuilder::flush() { writer_.add_chunk(sorter_, parts_.parts()); }

void StreamRunBuilder::finish() { writer_.finish(header_); }

}  // namespace corpusprep::ngrams
