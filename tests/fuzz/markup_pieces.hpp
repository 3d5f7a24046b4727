// Pages of which a fuzz target is made: any bytes stand for markup that parsers find hard.
#pragma once

#ifdef WITH_LIBXML2
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

// Each byte of the input stands for a piece of a page; those from the table's size on for a character of that code. "#"
// becomes the number of the repetition, so that names differ.
inline constexpr std::string_view kPieces[] = {
    "<",           "</",       ">",       "/>",         "=",           "\"",         "'",
    " ",           "/",        "#",       "&",          "&amp;",       "&#65;",      "&notit",
    "<!--",        "-->",      "--!>",    "<!",         "<?",          "<!doctype ", "<x ",
    "<a>",         "</a>",     "<b>",     "</b>",       "<i>",         "</i>",       "<p>",
    "</p>",        "<div>",    "</div>",  "<table>",    "</table>",    "<tr>",       "<td>",
    "</td>",       "<ul>",     "<li>",    "</ul>",      "<font>",      "<form>",     "<select>",
    "<option>",    "<body>",   "<html>",  "</html>",    "<head>",      "</head>",    "<title>",
    "</title>",    "<meta ",   "<br>",    "<hr>",       "<script>",    "</script",   "<style>",
    "</style",     "<iframe>", "</body>", "<textarea>", "<xmp>",       "<svg>",      "<noscript>",
    "<plaintext>", "<w#>",     "</w#>",   " w#",        " w#=a",       " w#='>'",    " id=w#",
    "<o:p>",       "\r",       "\n",      "word ",      "word",        "\xC3\xA9",   "\xE6\xBC\xA2",
    "<![CDATA[",   "]]>",      "-",       " class=c",   " href=\"x\"", " title='>'", " style='display:none'",
    "/ ",          " é=1",     " a = b",  "<html/>",    "<head",       "<body"};
inline constexpr std::size_t kPieceCount = std::size(kPieces);

// `number` is that of the repetition.
inline std::string pieces(const std::uint8_t* data, std::size_t size, std::size_t number) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] >= 0x80) text += static_cast<char>(0xC0 | (data[i] >> 6));  // pages are valid UTF-8
    if (data[i] >= kPieceCount) {
      text += static_cast<char>(data[i] >= 0x80 ? 0x80 | (data[i] & 0x3F) : data[i]);
      continue;
    }
    for (const char c : kPieces[data[i]]) {
      if (c == '#') {
        text += std::to_string(number);
      } else {
        text += c;
      }
    }
  }
  return text;
}

#ifdef WITH_LIBXML2
// Returns the tree of a page as corpusprep/pages/html.py parses it, or null if the parser gave up.
inline xmlDocPtr tree(const std::string& page, bool huge) {
  xmlResetLastError();
  htmlParserCtxtPtr parser = htmlNewParserCtxt();
  parser->sax->comment = nullptr;
  parser->sax->processingInstruction = nullptr;
  const int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                      HTML_PARSE_COMPACT | (huge ? static_cast<int>(XML_PARSE_HUGE) : 0);
  xmlDocPtr document =
      htmlCtxtReadMemory(parser, page.data(), static_cast<int>(page.size()), nullptr, "utf-8", options);
  htmlFreeParserCtxt(parser);
  const auto* error = xmlGetLastError();
  if (document && error && error->level == XML_ERR_FATAL) {
    xmlFreeDoc(document);
    document = nullptr;
  }
  return document;
}
#endif
