"""Speed of each stage beside other tools, and peak memory of the stages that see every page."""
