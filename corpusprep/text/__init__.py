"""Text as tokens: tokenizers, word breaking, the vertical."""
