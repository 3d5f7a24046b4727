#include "pages/page_walk.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/prefetch.hpp"
#include "pages/bytes.hpp"
#include "pages/features.hpp"
#include "pages/outline.hpp"
#include "pages/shown_elements.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

// Names come from the dictionary of the document: equal names have equal pointers. This small direct-mapped cache saves
// lookups. It lives as long as one walk, so the meaning of a pointer cannot change.
class ElementCache {
 public:
  // Valid up to the next call. A reference: compilers copy the many small parts of a value one by one.
  const Element& find(const xmlChar* name) {
    auto& slot = slots_[(reinterpret_cast<std::uintptr_t>(name) >> 3) & (slots_.size() - 1)];
    if (slot.name != name) {
      slot = {name, element_named(reinterpret_cast<const char*>(name))};
    }
    return slot.element;
  }

 private:
  struct Slot {
    const xmlChar* name = nullptr;
    Element element;
  };
  std::array<Slot, 256> slots_{};
};

// Returns the node after `node` in document order below `root`, or null.
const xmlNode* following(const xmlNode* node, const xmlNode* root) {
  if (node->type == XML_ELEMENT_NODE && node->children) return node->children;
  while (node != root && !node->next) node = node->parent;
  return node == root ? nullptr : node->next;
}

bool is_text(const xmlNode* node) {
  return (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) && node->content;
}

}  // namespace

void HiddenText::end_text(std::size_t blocks_before) {
  builder_.end_blocks();
  before_.resize(builder_.columns().size(), static_cast<std::int64_t>(blocks_before));
}

void HiddenText::abandon_page() {
  builder_.abandon_page();
  before_.resize(builder_.columns().size());
}

namespace {

// What scripts do to a page, as far as one walk knows: they show hidden text; they do not run.
struct Scripts {
  bool show_hidden = false, off = false;
};

// Text of less than these bytes is hardly any; a block of fewer bytes is no running text.
constexpr std::size_t kHardlyAny = 300, kRunning = 100;
// A text of fewer bytes that names JavaScript asks for it.
constexpr std::size_t kRequest = 400;

std::string_view block_text(const BlockColumns& columns, std::size_t block) {
  const auto start = static_cast<std::size_t>(columns.offsets[block]);
  return std::string_view(columns.text).substr(start, static_cast<std::size_t>(columns.offsets[block + 1]) - start);
}

// Returns the bytes of the running text of blocks from `first` on: long ones with few links.
std::size_t running_text(const BlockColumns& columns, std::size_t first) {
  std::size_t size = 0;
  for (std::size_t block = first; block < columns.size(); ++block) {
    const auto bytes = block_text(columns, block).size();
    if (bytes >= kRunning && std::uint64_t{5} * columns.link_words[block] < std::uint64_t{2} * columns.words[block]) {
      size += bytes;
    }
  }
  return size;
}

bool names_javascript(std::string_view text) {
  constexpr std::string_view kName = "javascript";
  const auto same = [](char left, char right) { return ascii_lower(left) == right; };
  for (std::size_t at = 0; at + kName.size() <= text.size(); ++at) {
    if (std::ranges::equal(text.substr(at, kName.size()), kName, same)) return true;
  }
  return false;
}

// One walk over a page.
class Walk {
 public:
  Walk(BlockBuilder& builder, HiddenText& hidden, KeptText kept, Scripts scripts)
      : builder_(builder),
        features_(builder.features()),
        outline_(builder.outline()),
        hidden_(hidden),
        kept_(kept),
        scripts_(scripts) {}

  void run(const xmlNode* root) {
    const xmlNode* node = root;
    while (node) {
      if (node->type == XML_ELEMENT_NODE) {
        const Element& element = cache_.find(node->name);
        const bool in_head = !open_.empty() && open_.back().element.head;
        // The parser puts what follows a stray tag or text in <head> into <body>.
        if (features_ && element.metadata) features_->metadata(*node);
        const bool removed = element.removed && !(element.fragment && is_shadow_root(*node));
        if (!removed && !(in_head && element.metadata)) {
          open(element, *node);
          if (node->children) {
            node = node->children;
            continue;
          }
          close();
        } else if (element.apart) {
          builder_.space();
        }
      } else if (is_text(node)) {
        text(reinterpret_cast<const char*>(node->content));
      }
      while (node != root && !node->next) {
        node = node->parent;
        close();
      }
      node = node == root ? nullptr : node->next;
    }
  }

  // Bytes of text that was hidden in <noscript> and does not only ask for JavaScript.
  std::size_t noscript_text() const noexcept { return noscript_text_; }
  // Bytes of running text that was hidden otherwise.
  std::size_t hidden_text() const noexcept { return hidden_text_; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Open {
    Element element;
    const xmlNode* node;
  };

  void open(const Element& element, const xmlNode& node) {
    if (features_) {
      features_->open(element, node, builder_.text_end());
    } else if (node.properties) {
      prefetch_line(reinterpret_cast<const char*>(node.properties));
      prefetch_line(reinterpret_cast<const char*>(node.properties) + 64);
    }
    if (outline_) outline_->open(element, node, builder_.text_end());
    builder_.open(element);
    if (apart()) hidden_.builder().open(element);
    headings_ += element.heading;
    open_.push_back({element, &node});
  }

  void close() {
    const Element element = open_.back().element;
    open_.pop_back();
    known_ = std::min(known_, open_.size());
    headings_ -= element.heading;
    if (apart()) hidden_.builder().close(element);
    if (hidden_from_ == open_.size()) show();
    if (outline_) outline_->close(builder_.text_end());
    builder_.close(element);
    if (features_) features_->close(builder_.text_end());
  }

  // Whether what is in the innermost element goes to the hidden text.
  bool apart() const noexcept { return hidden_from_ != kNone && leaves_out(why_); }

  bool leaves_out(Unseen why) const noexcept {
    if (why == Unseen::reading) return !kept_.readings;
    return !kept_.hidden && (why == Unseen::markup || !scripts_.show_hidden);
  }

  void text(std::string_view content) {
    if (hidden_from_ == kNone) look(content);
    if (!apart()) return builder_.text(content);
    hidden_.builder().text(content);
    if (why_ == Unseen::decorated) has_letter_ |= has_letter(content);
  }

  static bool has_letter(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
      const auto decoded = decode_utf8(text, i);
      const auto kind = unicode_class(decoded.code_point);
      if (kind == UnicodeClass::letter || kind == UnicodeClass::number) return true;
      i += decoded.length;
    }
    return false;
  }

  // Looks at the elements that text is found in for the first time.
  void look(std::string_view content) {
    if (known_ == open_.size()) return;
    if (skip_space(content, 0) == content.size()) return;
    for (; known_ < open_.size(); ++known_) {
      const auto& [element, node] = open_[known_];
      const bool below = known_ > 0 && !element.body;
      auto why = shown_.look(*node, element, headings_ > element.heading, below);
      if (why == Unseen::noscript && scripts_.off) why = Unseen::no;
      if (why == Unseen::no || (why == Unseen::reading && kept_.readings)) continue;
      hide(why);
      return;
    }
  }

  void hide(Unseen why) {
    why_ = why;
    hidden_from_ = known_;
    has_letter_ = false;
    if (features_) features_->hide_from(hidden_from_);
    if (!apart()) return;
    first_hidden_ = hidden_.builder().columns().size();
    hidden_.builder().begin_in(builder_.tag());
    for (std::size_t i = hidden_from_; i < open_.size(); ++i) hidden_.builder().open(open_[i].element);
  }

  // The outermost hidden element ends.
  void show() {
    if (features_) features_->hide_from(kNone);
    if (apart()) {
      hidden_.end_text(builder_.columns().size() - static_cast<std::size_t>(builder_.columns().pages.back()));
      const auto& columns = hidden_.builder().columns();
      if (why_ == Unseen::hidden || why_ == Unseen::decorated) {
        hidden_text_ += running_text(columns, first_hidden_);
      } else if (why_ == Unseen::noscript) {
        for (std::size_t block = first_hidden_; block < columns.size(); ++block) {
          const auto own = block_text(columns, block);
          if (own.size() > kRequest || !names_javascript(own)) noscript_text_ += own.size();
        }
      }
      // A sign between two words stands where it was.
      if (why_ == Unseen::decorated && !has_letter_) builder_.space();
    }
    hidden_from_ = kNone;
  }

  ElementCache cache_;
  ShownElements shown_;
  BlockBuilder& builder_;
  FeatureBuilder* const features_;
  OutlineBuilder* const outline_;
  HiddenText& hidden_;
  const KeptText kept_;
  const Scripts scripts_;
  std::vector<Open> open_;  // the elements around the current node, from the root
  std::size_t known_ = 0;   // of these: how many were looked at
  std::size_t hidden_from_ = kNone;
  std::size_t first_hidden_ = 0;  // block of the hidden text
  Unseen why_ = Unseen::no;
  std::uint32_t headings_ = 0;
  bool has_letter_ = false;
  std::size_t noscript_text_ = 0, hidden_text_ = 0;
};

}  // namespace

void walk_page(const xmlNode* root, BlockBuilder& builder, HiddenText& hidden, KeptText kept) {
  Walk walk(builder, hidden, kept, {});
  walk.run(root);
  builder.end_blocks();
  const auto& columns = builder.columns();
  const auto first = static_cast<std::size_t>(columns.pages.back());
  const auto all = columns.text.size() - static_cast<std::size_t>(columns.offsets[first]);
  const Scripts scripts = {.show_hidden = walk.hidden_text() > running_text(columns, first),
                           .off = all < kHardlyAny && walk.noscript_text() > all};
  if (scripts.show_hidden || scripts.off) {
    builder.abandon_page();
    hidden.abandon_page();
    Walk(builder, hidden, kept, scripts).run(root);
  }
  skip_page(builder, hidden);
}

void skip_page(BlockBuilder& builder, HiddenText& hidden) {
  builder.end_page();
  hidden.builder().end_page();
}

std::string page_title(const xmlNode* root) {
  std::string text;
  const xmlNode* title = following(root, root);
  const auto is_title = [](const xmlNode* node) {
    return node->type == XML_ELEMENT_NODE && std::string_view(reinterpret_cast<const char*>(node->name)) == "title";
  };
  while (title && !is_title(title)) title = following(title, root);
  for (const xmlNode* node = title; node; node = following(node, title)) {
    if (is_text(node)) text += reinterpret_cast<const char*>(node->content);
  }
  return text;
}

}  // namespace corpusprep
