"""What a pot is worth: variants, ranges, spots, exact and sampled equity, showdown."""
