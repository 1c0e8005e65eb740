"""A variant's rules in words, generated from the data that the engine plays by, so that a reader can check them."""

from __future__ import annotations

from typing import Any

from potshare import __version__
from potshare.evaluator.arrays import for_size
from potshare.evaluator.cards import card_name
from potshare.evaluator.rankings import find_ranking
from potshare.simulate import table_rules
from potshare.simulate.variants import SELECTIONS, SHOWDOWNS, Half, Street, Variant

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")

_STUD_RULES = {
    "stud": table_rules.STUD,
    "stud-hilo": table_rules.STUD_HILO,
    "razz": table_rules.RAZZ,
    "five-card-stud": table_rules.FIVE_CARD_STUD,
    "lowball-stud": table_rules.LOWBALL_STUD,
}


def stud_rules(variant: Variant) -> table_rules.StudRules | None:
    """How a stud table opens and who acts first; None for games with blinds or antes."""
    return _STUD_RULES.get(variant.table)


def _cards(n: int) -> str:
    return f"{_NUMBERS[n]} card{'s' if n != 1 else ''}"


def deal_notation(variant: Variant) -> str:
    """The deal in one line: D down, U up, B board, X a choice that changes cards, | a betting round."""
    parts = []
    for street in variant.streets:
        letters = "D" * street.down + "U" * street.up + "B" * street.board
        if street.choice and street.choice != "push":
            letters += "X" * max(1, street.swap)
        parts.append(letters + ("|" if street.betting else ""))
    return " ".join(parts).replace("|", " |").replace("  ", " ").strip()


def street_words(street: Street, variant: Variant) -> str:
    """What happens on a street, as a clause."""
    parts = []
    if street.down:
        parts.append(f"{_cards(street.down)} down to each player")
    if street.up:
        parts.append(f"{_cards(street.up)} up to each player")
    if street.board:
        boards = " to each board" if variant.boards > 1 else " to the board"
        parts.append(f"{_cards(street.board)}{boards}")
    if street.push:
        parts.append("dealt in turn: each may push it on to the left and take another that he must keep")
    if street.flip:
        one = "one of his cards" if street.flip == 1 else f"up to {_NUMBERS[street.flip]} cards"
        parts.append(f"each player turns {one} up, of his choice")
    facing = "face down" if street.facing == "down" else "facing as those they replace"
    if street.draw:
        limit = f"each player in turn exchanges up to {_cards(street.draw)}"
        if street.draw_to_ace > street.draw:
            wild = " or wild" if variant.wild else ""
            limit += f", or {_NUMBERS[street.draw_to_ace]} when the card he keeps is an ace{wild}"
        parts.append(f"{limit}; new cards come {facing}")
    if street.swap:
        rounds = "once" if street.swap == 1 else f"up to {_NUMBERS[street.swap]} times, one card at a time"
        price = ""
        if street.prices:
            bets = "minimum bet" if street.prices == (1,) else "minimum bets"
            price = f", for {', then '.join(str(p) for p in street.prices)} {bets}"
        parts.append(f"each player in turn may exchange a card, {rounds}{price}; new cards come {facing}")
    if street.discard:
        parts.append(f"each player throws away {_cards(street.discard)}")
    return ", ".join(parts) + ("; a betting round" if street.betting else "")


def half_words(half: Half, variant: Variant) -> str:
    """Which cards count for a half and under which ranking."""
    ranking = find_ranking(half.ranking)
    size = variant.kept_cards + variant.board_cards
    if half.selection == SELECTIONS[1]:
        cards = "exactly two hole cards and three of the board"
    elif half.selection == SELECTIONS[2]:
        cards = "of the cards face down only"
    else:
        counted = min(ranking.counted, size)
        cards = (
            f"the best {_NUMBERS[counted]} of {_NUMBERS[size] if size < 8 else size}" if counted < size else "all cards"
        )
    if ranking.name != "badugi" and variant.showdown == SHOWDOWNS[0] and half.selection == SELECTIONS[0]:
        ranking = for_size(ranking, size)
    board = f" on board {half.board}" if variant.boards > 1 else ""
    return f"{ranking.name}, {cards}{board}. {ranking.rules}"


def _deck_words(variant: Variant) -> str:
    words = f"{len(variant.deck)} cards"
    if variant.deck_name == "short":
        words += ", six to ace"
    if variant.wild:
        wild = [card_name(c) for c in variant.wild_cards]
        words += f"; wild: {' '.join(wild)}" if "bug" not in variant.wild else "; the joker is a bug"
    return words


def _short_words(variant: Variant) -> str:
    if variant.when_short == "community":
        return (
            "when fewer cards are left before the last one than players are live, one card face up in the middle is "
            "everybody's last card; nothing is reshuffled (folded players' unseen cards are ?? among the dead ones)"
        )
    if variant.when_short == "reshuffle":
        return (
            "a player first gets what is left of the stub; then the mucked hands and the discards so far are shuffled, "
            "without the cards that he threw away himself in this deal, and dealing goes on from them (dead cards "
            "count as mucked, unseen ones are ??)"
        )
    return ""


def _table_words(variant: Variant) -> str:
    if variant.table == "blinds":
        return (
            "two blinds left of the button; first to act is the player left of the big blind, later the first live "
            "player left of the button"
        )
    if variant.table == "ante":
        return "antes; first to act is the first live player left of the button, in every round"
    rules = stud_rules(variant)
    if rules is None:
        return ""
    ace = "low" if rules.ace_low else "high"
    suits = "spades first" if rules.bring_in == "high card" else "clubs first"
    words = (
        f"antes; the {'highest' if rules.bring_in == 'high card' else 'lowest'} door card brings it in (ace {ace}, "
        f"equal ranks by suit, {suits}); later the {rules.first} acts first, ties to the player nearest "
        "the dealer's left"
    )
    if rules.open_pair_doubles:
        words += "; with an open pair on fourth street the higher limit may be bet"
    return words


def _pot_words(variant: Variant) -> str:
    if len(variant.halves) == 1:
        if variant.showdown == SHOWDOWNS[1]:
            return (
                "the last leader takes the pot: in turn, players turn cards up until they beat him or run out of cards"
            )
        return "the whole pot; equal hands share it"
    first, second = variant.halves
    words = f"half to the {first.name} and half to the {second.name}; equal hands share their half"
    words += ", odd chips go to the first"
    if find_ranking(second.ranking).nothing != "no hand":
        words += f"; with {find_ranking(second.ranking).nothing} the {first.name} takes all"
    return words


def describe(variant: Variant) -> dict[str, Any]:
    """The rules of a variant: the JSON of `potshare games NAME`, words generated from the data."""
    choices = list(dict.fromkeys(variant.choices))
    return {
        "schema": 1,
        "version": __version__,
        "name": variant.name,
        "title": variant.title,
        "family": variant.family,
        "aliases": list(variant.aliases),
        "summary": variant.summary,
        "deck": _deck_words(variant),
        "seats": variant.seats,
        "most_players": variant.most_players,
        "deal": deal_notation(variant),
        "streets": [{"name": s.name, "rule": street_words(s, variant)} for s in variant.streets],
        "pot": _pot_words(variant),
        "halves": {h.name: half_words(h, variant) for h in variant.halves},
        "when_short": _short_words(variant),
        "table": _table_words(variant),
        "policies": {
            policy.name: {choice: list(policy.of(choice)) for choice in choices if policy.of(choice)}
            for policy in variant.policies
            if choices
        },
        "notes": list(variant.notes),
    }


def rules_text(variant: Variant, width: int = 100) -> str:
    """The rules of a variant as plain text."""
    import textwrap

    facts = describe(variant)
    lines = [f"{facts['name']}: {facts['title']}"]

    def put(label: str, text: str) -> None:
        lines.extend(
            textwrap.wrap(
                text, width, initial_indent=f"{label:<11}", subsequent_indent=" " * 11, break_on_hyphens=False
            )
        )

    def list_items(label: str, items: list[str], numbered: bool = False) -> None:
        for i, item in enumerate(items):
            mark = f"{i + 1}. " if numbered else "- "
            head = f"{label if i == 0 else '':<11}{mark}"
            lines.extend(
                textwrap.wrap(
                    item, width, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
                )
            )

    if facts["aliases"]:
        put("also", ", ".join(facts["aliases"]))
    lines.append("")
    if facts["summary"]:
        lines += [*textwrap.wrap(facts["summary"], width), ""]
    put("deck", facts["deck"])
    seats = f"2 to {facts['seats']}"
    if facts["most_players"] > facts["seats"]:
        seats += f"; the deck has cards for {facts['most_players']}"
    put("players", seats)
    put("deal", f"{facts['deal']}   (D down, U up, B board, X exchange or discard, | betting round)")
    list_items("", [f"{s['name']}: {s['rule']}" for s in facts["streets"]])
    put("pot", facts["pot"])
    list_items("", [f"{name}: {words}" for name, words in facts["halves"].items()])
    if facts["when_short"]:
        put("run out", facts["when_short"])
    if facts["table"]:
        put("table", facts["table"])
    for name, rules in facts["policies"].items():
        for choice, texts in rules.items():
            lines.append(f"policy {name}, {choice}: the first rule that fits decides what is kept")
            list_items("", texts, numbered=True)
    if facts["policies"]:
        put(
            "",
            "other policies: pat (nobody exchanges a card), best (the first discard of a written hand is searched for)",
        )
    if facts["notes"]:
        list_items("notes", facts["notes"])
    return "\n".join(line.rstrip() for line in lines)
