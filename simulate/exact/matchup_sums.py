"""The weighted sums over the table of match-ups; apart from `matchups`, whose look-ups need no compiled code."""

from __future__ import annotations

from potshare.kernel import kernel


@kernel
def sum_matchups(  # type: ignore[no-untyped-def]
    first, order, second, weights, kind, change, moved, cards, results, every, turned, same, known, sums, by_card, out
):  # fmt: skip
    """For each hand of `first`: out[i] = boards won and tied against the weighted hands of `second`, the weight of
    the compatible ones, and their number.

    Instead of turning the suits of every second hand for every first hand, all weights are turned once for each of the
    24 exchanges of suits; then a first hand is two products of a row of weights with a row of results, which are 0
    where hands collide. Exchanges that make the same row of weights, as all do where a range names no suits, share
    the products of a kind of hand. `order` goes through `first` kind by kind. `every` (2, 1326) and `by_card` (2, 53),
    of the weights and of ones, and `turned` (24, 1326) come as zeros; `same` and `known` (24,) int64 and `sums`
    (2, 24) are room for the work.
    """
    for j in range(second.shape[0]):
        b = second[j]
        every[0, b] = weights[j]
        every[1, b] = 1
        for t in range(2):
            by_card[t, cards[b, 0]] += every[t, b]
            by_card[t, cards[b, 1]] += every[t, b]
            by_card[t, 52] += every[t, b]
    for g in range(24):
        for b in range(every.shape[1]):
            turned[g, moved[g, b]] = every[0, b]
        same[g] = g
        known[g] = -1
        for h in range(g):
            if same[h] == h:
                alike = True
                for b in range(every.shape[1]):
                    if turned[g, b] != turned[h, b]:
                        alike = False
                        break
                if alike:
                    same[g] = h
                    break
    for p in range(first.shape[0]):
        i = order[p]
        a = first[i]
        k = kind[a]
        g = same[change[a]]
        if known[g] != k:
            known[g] = k
            won = weights[0] * 0
            tied = weights[0] * 0
            for b in range(every.shape[1]):
                won += turned[g, b] * results[0, k, b]
                tied += turned[g, b] * results[1, k, b]
            sums[0, g] = won
            sums[1, g] = tied
        out[i, 0] = sums[0, g]
        out[i, 1] = sums[1, g]
        for t in range(2):
            # The very same hand was taken away twice.
            out[i, 2 + t] = by_card[t, 52] - by_card[t, cards[a, 0]] - by_card[t, cards[a, 1]] + every[t, a]
