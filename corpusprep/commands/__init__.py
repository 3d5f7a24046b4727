"""The stages: one module each, each a command of the same name. Stages do not import each other."""
