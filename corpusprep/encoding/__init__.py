"""Character encodings of Web pages: labels, declarations, detection, decoding."""
