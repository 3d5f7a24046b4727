"""Quality of cleaners on gold pages."""
