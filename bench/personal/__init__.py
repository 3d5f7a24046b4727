"""Personal data: a made gold set, and what is found in it."""
