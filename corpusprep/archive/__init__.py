"""Web archives: records, damage, HTTP, content encodings, batches of archives."""
