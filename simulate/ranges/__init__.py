"""Hand and range text: text -> tree -> combos and weights; boards, single hands, orderings."""

from __future__ import annotations

from potshare.simulate.ranges.boards import Board, parse_board
from potshare.simulate.ranges.hands import Hand, parse_hand
from potshare.simulate.ranges.range import Range, parse_range

__all__ = ["Board", "Hand", "Range", "parse_board", "parse_hand", "parse_range"]
