"""Hand and range text: text -> tree -> combos and weights; orderings."""
