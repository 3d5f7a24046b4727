"""The block classifiers of texrex (Schäfer 2016), measured on its feature vectors: tables 2 to 6, figures 1 to 3."""
