"""Draws and other choices: decisions in text, limits, keep rules, the search for the best discard."""
