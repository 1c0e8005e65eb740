"""How many hands there are of each kind, counted once and for all by programs that are not this package."""

HIGH = {
    5: {
        "royal flush": 4,
        "high card": 1302540,
        "pair": 1098240,
        "two pair": 123552,
        "three of a kind": 54912,
        "straight": 10200,
        "flush": 5108,
        "full house": 3744,
        "four of a kind": 624,
        "straight flush": 40,
    },
    6: {
        "royal flush": 188,
        "high card": 6612900,
        "pair": 9730740,
        "two pair": 2532816,
        "three of a kind": 732160,
        "straight": 361620,
        "flush": 205792,
        "full house": 165984,
        "four of a kind": 14664,
        "straight flush": 1844,
    },
    7: {
        "straight flush": 41584,
        "four of a kind": 224848,
        "full house": 3473184,
        "flush": 4047644,
        "straight": 6180020,
        "three of a kind": 6461620,
        "two pair": 31433400,
        "pair": 58627800,
        "high card": 23294460,
        "royal flush": 4324,
    },
}
"""Hands of 5, 6 and 7 cards by category; straight flushes include the royal flushes."""

HIGH_VALUES = {
    5: {
        "high card": 1277,
        "pair": 2860,
        "two pair": 858,
        "three of a kind": 858,
        "straight": 10,
        "flush": 1277,
        "full house": 156,
        "four of a kind": 156,
        "straight flush": 10,
    },
    6: {
        "high card": 770,
        "pair": 2135,
        "two pair": 846,
        "three of a kind": 715,
        "straight": 10,
        "flush": 1277,
        "full house": 156,
        "four of a kind": 156,
        "straight flush": 10,
    },
}
"""Different values by category that 5 and 6 cards can reach."""

VALUES = {
    ("high", 5): 7462,
    ("high", 6): 6075,
    ("high", 7): 4824,
    ("ace-to-five", 5): 6175,
    ("ace-to-five", 6): 6019,
    ("ace-to-five", 7): 5083,
    ("eight-or-better", 6): 56,
    ("eight-or-better", 7): 56,
    ("deuce-to-seven", 5): 7462,
    ("deuce-to-seven", 6): 6802,
    ("deuce-to-seven", 7): 5536,
    ("short-deck", 5): 1404,
    ("short-deck", 6): 1060,
    ("short-deck", 7): 752,
}
"""Different values of all hands, by ranking and number of cards."""

ACE_TO_FIVE = {
    5: (
        {
            "no pair": 1317888,
            "pair": 1098240,
            "two pair": 123552,
            "three of a kind": 54912,
            "full house": 3744,
            "four of a kind": 624,
        },
        {5: 1024, 6: 5120, 7: 15360, 8: 35840, 9: 71680, 10: 129024, 11: 215040, 12: 337920, 13: 506880},
    ),
    7: (
        {
            "no pair": 127615488,
            "pair": 5948800,
            "two pair": 219648,
            "three of a kind": 0,
            "full house": 624,
            "four of a kind": 0,
        },
        {
            5: 781824,
            6: 3151360,
            7: 7426560,
            8: 13171200,
            9: 19174400,
            10: 23675904,
            11: 24837120,
            12: 21457920,
            13: 13939200,
        },
    ),
}
"""Best lows of 5 and 7 cards by category, and the unpaired ones by their top card (king 13)."""

EIGHT_OR_BETTER = {6: {5: 40448, 6: 181760, 7: 483840, 8: 985600}, 7: {5: 781824, 6: 3151360, 7: 7426560, 8: 13171200}}
"""Qualifying lows of 6 and 7 cards by their top card."""

DEUCE_TO_SEVEN = (
    {
        "no pair": 1303560,
        "pair": 1098240,
        "two pair": 123552,
        "three of a kind": 54912,
        "straight": 9180,
        "flush": 5112,
        "full house": 3744,
        "four of a kind": 624,
        "straight flush": 36,
    },
    {7: 4080, 8: 14280, 9: 34680, 10: 70380, 11: 127500, 12: 213180, 13: 335580, 14: 503880},
)
"""Five cards by category, and the unpaired ones by their top card (ace 14)."""

BADUGI_SIZES = {1: 2873, 2: 96252, 3: 154440, 4: 17160}
"""Four cards by how many count."""

BADUGI_TOPS = {
    1: {1: 881, 2: 661, 3: 481, 4: 337, 5: 225, 6: 141, 7: 81, 8: 41, 9: 17, 10: 5, 11: 1, 12: 1, 13: 1},
    2: {
        2: 3632,
        3: 6400,
        4: 8388,
        5: 9680,
        6: 10360,
        7: 10512,
        8: 10220,
        9: 9568,
        10: 8640,
        11: 7520,
        12: 6292,
        13: 5040,
    },
    3: {3: 900, 4: 2556, 5: 4824, 6: 7560, 7: 10620, 8: 13860, 9: 17136, 10: 20304, 11: 23220, 12: 25740, 13: 27720},
    4: {4: 24, 5: 96, 6: 240, 7: 480, 8: 840, 9: 1344, 10: 2016, 11: 2880, 12: 3960, 13: 5280},
}
"""Four cards by how many count and the highest that does (ace 1)."""

SHORT_DECK = {
    5: {
        "straight flush": 24,
        "four of a kind": 288,
        "flush": 480,
        "full house": 1728,
        "straight": 6120,
        "three of a kind": 16128,
        "two pair": 36288,
        "pair": 193536,
        "high card": 122400,
    },
    6: {
        "high card": 261300,
        "pair": 914400,
        "two pair": 453600,
        "three of a kind": 129024,
        "straight": 122100,
        "full house": 48960,
        "flush": 13220,
        "four of a kind": 4464,
        "straight flush": 724,
    },
    7: {
        "royal flush": 1860,
        "high card": 233100,
        "pair": 2316600,
        "two pair": 3157056,
        "three of a kind": 607200,
        "straight": 1169940,
        "full house": 633024,
        "flush": 175560,
        "four of a kind": 44640,
        "straight flush": 10560,
    },
}
"""Hands of 5, 6 and 7 of 36 cards by category; straight flushes include the royal flushes."""

SHORT_DECK_VALUES = {
    "straight flush": 6,
    "four of a kind": 72,
    "flush": 120,
    "full house": 72,
    "straight": 6,
    "three of a kind": 252,
    "two pair": 252,
    "pair": 504,
    "high card": 120,
}
"""Different values of five cards of 36 by category."""

THREE_CARD = {
    "straight flush": 48,
    "three of a kind": 52,
    "flush": 1096,
    "straight": 720,
    "pair": 3744,
    "high card": 16440,
}
"""Three cards by category."""

THREE_CARD_WITHOUT_WHEEL = {
    "straight flush": 44,
    "three of a kind": 52,
    "flush": 1100,
    "straight": 660,
    "pair": 3744,
    "high card": 16500,
}
"""The same if A-2-3 were no straight."""

WILD = {
    "high:joker": {
        "natural royal": 4,
        "wild royal": 20,
        "high card": 1302540,
        "pair": 1268088,
        "two pair": 123552,
        "three of a kind": 137280,
        "straight": 20532,
        "flush": 7804,
        "full house": 6552,
        "four of a kind": 3120,
        "straight flush": 204,
        "five of a kind": 13,
    },
    "high:jokers": {
        "natural royal": 4,
        "wild royal": 80,
        "high card": 1302540,
        "pair": 1437936,
        "two pair": 123552,
        "three of a kind": 232968,
        "straight": 34704,
        "flush": 11388,
        "full house": 9360,
        "four of a kind": 9360,
        "straight flush": 624,
        "five of a kind": 78,
    },
    "high:2": {
        "natural royal": 4,
        "wild royal": 480,
        "high card": 799680,
        "pair": 1225008,
        "two pair": 95040,
        "three of a kind": 355080,
        "straight": 62232,
        "flush": 14472,
        "full house": 12672,
        "four of a kind": 31552,
        "straight flush": 2552,
        "five of a kind": 672,
    },
    "high:bug": {
        "high card": 1418964,
        "pair": 1215024,
        "two pair": 138600,
        "three of a kind": 63360,
        "straight": 20532,
        "flush": 7804,
        "full house": 4368,
        "four of a kind": 828,
        "straight flush": 204,
        "five of a kind": 1,
    },
}
"""Five cards by category, by wild ranking, with royal flushes counted among straight flushes."""

DEUCES = {
    "high card": [799680, 0, 0, 0, 0],
    "pair": [760320, 464688, 0, 0, 0],
    "two pair": [95040, 0, 0, 0, 0],
    "three of a kind": [42240, 253440, 59400, 0, 0],
    "straight": [8160, 34272, 19800, 0, 0],
    "flush": [3136, 7376, 3960, 0, 0],
    "full house": [3168, 9504, 0, 0, 0],
    "four of a kind": [528, 8448, 19008, 3568, 0],
    "straight flush": [32, 544, 1320, 656, 0],
    "five of a kind": [0, 48, 288, 288, 48],
}
"""Five cards with deuces wild by category and number of deuces."""

FIVE_ALIKE = {5: (672, 8152), 7: (609760, 4894392)}
"""Hands with five of a kind by number of cards, with one rank wild and with two."""

OMAHA_HIGH = {
    "royal flush": 42807600,
    "straight flush other": 368486160,
    "high card": 13851662832,
    "pair": 122655542152,
    "two pair": 170775844104,
    "three of a kind": 40712657408,
    "straight": 52289648688,
    "flush": 31216782384,
    "full house": 29424798576,
    "four of a kind": 2225270496,
}
"""Four hole cards with a board of five by category, two plus three."""

OMAHA_LOW = {0: 302188517232, 8: 76415359104, 7: 51687563904, 6: 25832342400, 5: 7439717760}
"""The same by the top card of the low of eight or better, 0 for none."""

OMAHA_SUITS = {(1, 1, 1, 1): 28561, (2, 1, 1): 158184, (2, 2): 36504, (3, 1): 44616, (4,): 2860}
"""Four hole cards by how many there are of each suit."""

OMAHA_LOW_RANKS = {0: 4845, 1: 46248, 2: 113904, 3: 87808, 4: 17920}
"""Four hole cards by how many different ranks from ace to eight they hold."""

PARTIAL = {
    1: {"high card": 52},
    2: {"high card": 1248, "pair": 78},
    3: {"high card": 18304, "pair": 3744, "three of a kind": 52},
    4: {"high card": 183040, "pair": 82368, "two pair": 2808, "three of a kind": 2496, "four of a kind": 13},
}
"""One to four cards by category."""

SUIT_CLASSES = {2: 169, 3: 1755, 4: 16432, 5: 134459, 6: 962988, 7: 6009159}
"""Hands up to the names of the suits, by number of cards."""

MURDER = {"total": 1326, "pairs": 78, "pair of sevens": 6, "no pair": 1248, "high distinct": 91, "low distinct": 91}
"""Two cards."""
