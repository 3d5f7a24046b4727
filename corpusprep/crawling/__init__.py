"""From the Web to archives: crawling by yield, seeds, downloads of chosen records."""
