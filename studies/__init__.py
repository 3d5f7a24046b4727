"""The published studies that corpusprep implements, redone: a folder per source. Nothing in corpusprep imports it."""
