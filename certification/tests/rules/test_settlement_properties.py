"""Rules §2 for any hand: nothing is lost or made, and the house gets what its deductions say."""

from fractions import Fraction
from math import trunc

from hypothesis import given
from hypothesis import strategies as st

from certification.rules.pots import pot_of
from certification.rules.settlement import Basis, Name, settle
from certification.rules.tables import RANKS, TABLES, VERSIONS, dan_of
from certification.tests.rules.untimed import untimed

PLAYERS = "ABCDE"


@st.composite
def hands(draw):
    """Any hand that could be reported: unequal bets of winners, odd chips, opponents of whatever sort."""
    players = draw(st.lists(st.sampled_from(PLAYERS), unique=True, min_size=2))
    ante = draw(st.integers(0, 200))
    return {
        "antes": dict.fromkeys(players, ante),
        "bets": {player: draw(st.integers(0, 2_000)) for player in players if draw(st.booleans())},
        "winners": draw(st.lists(st.sampled_from(players), unique=True, min_size=1)),
        "table": draw(st.sampled_from(list(TABLES))),
        "version": draw(st.sampled_from(VERSIONS)),
        "ranks": {player: draw(st.sampled_from(RANKS)) for player in players},
        "opponents": {
            player: draw(st.none() | st.sampled_from([other for other in PLAYERS if other != player]))
            for player in players
        },
    }


def values(line):
    return {step.name: step.value for step in line.working}


def pot(hand):
    return pot_of(antes=hand["antes"], bets=hand["bets"], winners=hand["winners"])


@untimed
@given(hands())
def test_what_is_lost_is_what_is_won_and_what_the_house_keeps(hand):
    house = pot(hand).house()
    assert sum(line.net for line in settle(**hand).values()) + house.total == 0
    assert (house.deducted + house.odd).denominator == 1
    assert 0 <= house.odd < len(hand["winners"])


@untimed
@given(hands())
def test_the_house_s_part_from_the_deductions_alone(hand):
    """Half of the antes, and three tenths of what each winner's share holds of other players' bets."""
    antes, bets, winners = hand["antes"], hand["bets"], hand["winners"]
    kept = Fraction(sum(antes.values()), 2)
    for winner in winners:
        others = sum(bet for player, bet in bets.items() if player != winner)
        kept += Fraction(3, 10) * others / len(winners)
    assert pot(hand).house().deducted == kept


@untimed
@given(hands())
def test_balances_before_deductions_add_up_to_nothing(hand):
    assert sum(values(line)[Name.BALANCE] for line in settle(**hand).values()) == 0


@untimed
@given(hands())
def test_the_score_is_ten_times_the_units(hand):
    unit = TABLES[hand["table"]].unit
    for line in settle(**hand).values():
        tens = 10 * values(line)[Name.BALANCE] / unit
        assert values(line)[Name.EXACT_SCORE] == tens
        assert line.score == trunc(tens)


@untimed
@given(hands())
def test_the_working_ends_in_the_line(hand):
    for line in settle(**hand).values():
        said = values(line)
        assert (line.net, line.score, line.exp) == (said[Name.NET], said[Name.SCORE], said[Name.EXP])
        assert line.exact_exp == said[Name.EXACT_EXP]
        assert line.exp == trunc(line.exact_exp)
        assert len(said) == len(line.working)
        if line.basis is Basis.OWN_RESULT:
            assert said[Name.UNITS] * said[Name.RATE] == line.exact_exp
        if line.basis is Basis.CERTIFICATION:
            assert said[Name.DIFFERENCE] * said[Name.CERTIFICATION_FACTOR] == line.exact_exp


@untimed
@given(hands())
def test_what_exp_comes_from(hand):
    lines = settle(**hand)
    for player, line in lines.items():
        opponent = hand["opponents"][player]
        pair = [hand["ranks"].get(one, "十級") for one in (player, opponent)]
        certified = opponent in lines and all(map(dan_of, pair)) and hand["table"] != "初級"
        assert (line.basis is Basis.CERTIFICATION) == bool(certified)


@untimed
@given(hands())
def test_two_who_are_each_other_s_opponents_win_what_the_other_loses(hand):
    lines = settle(**hand)
    for player, line in lines.items():
        other = hand["opponents"][player]
        mutual = other in lines and hand["opponents"].get(other) == player
        if mutual and line.basis is Basis.CERTIFICATION:
            assert line.exp == -lines[other].exp


@untimed
@given(hands(), st.randoms(use_true_random=False))
def test_the_order_of_input_does_not_matter(hand, random):
    def stirred(what):
        return dict(random.sample(list(what.items()), len(what))) if isinstance(what, dict) else what

    again = {name: stirred(what) for name, what in hand.items()}
    again["winners"] = random.sample(hand["winners"], len(hand["winners"]))
    assert settle(**again) == settle(**hand)
