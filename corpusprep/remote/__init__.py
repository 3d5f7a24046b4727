"""Files on servers: which may be asked, connections, downloads, and archives read where they lie."""
