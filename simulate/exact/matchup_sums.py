"""The weighted sums over the table of match-ups; apart from `matchups`, whose look-ups need no compiled code."""

from __future__ import annotations

from potshare.kernel import kernel


@kernel
def sum_matchups(first, second, weights, kind, change, moved, cards, results, out):  # type: ignore[no-untyped-def]
    """For each hand of `first`: out[i] = boards won and tied against the weighted hands of `second`, the weight of
    the compatible ones, and their number."""
    for i in range(first.shape[0]):
        a = first[i]
        x = cards[a, 0]
        y = cards[a, 1]
        k = kind[a]
        turned = moved[change[a]]
        won = weights[0] * 0
        tied = weights[0] * 0
        met = weights[0] * 0
        compatible = 0
        for j in range(second.shape[0]):
            b = second[j]
            u = cards[b, 0]
            v = cards[b, 1]
            if u == x or u == y or v == x or v == y:
                continue
            w = weights[j]
            at = turned[b]
            won += w * results[0, k, at]
            tied += w * results[1, k, at]
            met += w
            compatible += 1
        out[i, 0] = won
        out[i, 1] = tied
        out[i, 2] = met
        out[i, 3] = compatible
