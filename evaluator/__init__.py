"""What cards are worth: cards and text, rankings, kernels, arrays, words. Knows no game."""
