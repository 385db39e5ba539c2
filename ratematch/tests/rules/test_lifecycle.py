"""The life of a match (rules §3): every move and every clock, legal and illegal."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import Conflict, Invalid, Refusal
from ratematch.rules import lifecycle
from ratematch.rules.lifecycle import (
    CLOCKS,
    MOVES,
    RUNNING,
    Answer,
    Cause,
    Claim,
    Durations,
    Ending,
    Outcome,
    State,
    Verb,
    agreement,
    awaited,
    expire,
    is_due,
    new_match,
    outcome_of,
    play,
    possible,
    result_for,
    ruled,
)

T0 = datetime(2026, 6, 13, 20, 51, 30, tzinfo=UTC)
TICK = timedelta(microseconds=1)
ONE, TWO = 0, 1
D = Durations()


def at(**after):
    return T0 + timedelta(**after)


def run(*moves, match=None):
    """Play (seat, verb, seconds[, value]) moves in turn; seat None lets the clock run out at that second."""
    match = match or new_match(T0)
    for seat, verb, second, *value in moves:
        now = at(seconds=second)
        match = expire(match, now) if seat is None else play(match, verb, seat, now, value="".join(value))
    return match


ROOM = (ONE, Verb.SET_ROOM, 10, "K7-204")
ENTERED = (ROOM, (TWO, Verb.ENTER, 20))
REPORTED = (*ENTERED, (ONE, Verb.REPORT, 600))
BOTH = (*REPORTED, (TWO, Verb.REPORT, 610))
DISPUTED = (*BOTH, (ONE, Verb.DECLARE, 620, "win"), (TWO, Verb.DECLARE, 630, "win"))
TWICE = (*DISPUTED, (ONE, Verb.DECLARE, 640, "win"), (TWO, Verb.DECLARE, 650, "win"))
ABANDONED = (*ENTERED, (TWO, Verb.LEAVE, 100))
UNPROVEN = (*ABANDONED, (ONE, Verb.REPORT, 110))
UNANSWERED = (*REPORTED, (None, None, 900))
INSTEAD = (*REPORTED, (ONE, Verb.PROVE_INSTEAD, 605))

SAMPLES = {
    State.ROOM: run(ROOM),
    State.PLAYING: run(*ENTERED),
    State.ABANDONED: run(*ABANDONED),
    State.REPORTING: run(*REPORTED),
    State.RECONFIRM: run(*DISPUTED),
    State.EVIDENCE: run(*TWICE),
    State.REVIEW: run(*TWICE, (ONE, Verb.SUBMIT, 660), (TWO, Verb.SUBMIT, 670)),
    State.SETTLED: run(*BOTH, (ONE, Verb.DECLARE, 620, "win"), (TWO, Verb.DECLARE, 630, "loss")),
    State.VOID: run((ONE, Verb.LEAVE, 120)),
}


def refused(code, match, verb, seat, now, value=""):
    with pytest.raises(Refusal) as no:
        play(match, verb, seat, now, value=value)
    assert no.value.code == code
    return no.value


# --- what may not be done ---


@pytest.mark.parametrize(("state", "verb", "seat"), list(product(State, Verb, (ONE, TWO))))
def test_move_that_the_state_has_not_is_refused(state, verb, seat):
    match = SAMPLES[state]
    assert match.state is state
    if (state, verb) not in MOVES:
        assert refused("wrong_state", match, verb, seat, at(seconds=700)).status == 409


@pytest.mark.parametrize(
    ("state", "verb", "seat"),
    [
        (State.ROOM, Verb.SET_ROOM, TWO),
        (State.ROOM, Verb.ENTER, ONE),
        (State.ROOM, Verb.WRONG_NUMBER, ONE),
        (State.PLAYING, Verb.SET_ROOM, TWO),
        (State.ABANDONED, Verb.REPORT, TWO),
        (State.ABANDONED, Verb.LEAVE, TWO),
        (State.REPORTING, Verb.REPORT, ONE),
        (State.REPORTING, Verb.PROVE_INSTEAD, TWO),
        (State.REPORTING, Verb.NOT_OVER, ONE),
    ],
)
def test_move_that_is_the_other_sides_is_refused(state, verb, seat):
    refused("not_yours_to_do", SAMPLES[state], verb, seat, at(seconds=700), "K7")


def test_leave_is_not_offered_once_reporting_has_begun():
    for state in (State.REPORTING, State.RECONFIRM, State.EVIDENCE):
        refused("wrong_state", SAMPLES[state], Verb.LEAVE, ONE, at(seconds=700))


# --- §3.1 ROOM ---


@pytest.mark.parametrize("number", ["1", "K7-204", "a" * 20, "0" * 20])
def test_room_number_of_letters_digits_and_hyphens_is_taken(number):
    assert run((ONE, Verb.SET_ROOM, 1, number)).room_number == number


@pytest.mark.parametrize("number", ["", " ", "K7 204", "a" * 21, "１２３", "番", "K7\n", "<b>"])
def test_room_number_of_anything_else_is_refused(number):
    assert refused("bad_room_number", new_match(T0), Verb.SET_ROOM, ONE, T0, number).field == "room_number"


def test_room_number_can_be_corrected_before_and_during_play():
    assert run(*ENTERED, (ONE, Verb.SET_ROOM, 30, "X1")).room_number == "X1"
    assert run(ROOM, (ONE, Verb.SET_ROOM, 30, "X1")).state is State.ROOM


def test_enter_and_wrong_number_need_a_number():
    for verb in (Verb.ENTER, Verb.WRONG_NUMBER):
        refused("no_room_number", new_match(T0), verb, TWO, T0)


def test_wrong_number_leaves_the_state():
    assert run(ROOM, (TWO, Verb.WRONG_NUMBER, 15)) == run(ROOM)


@pytest.mark.parametrize("seat", [ONE, TWO])
def test_leave_room_opens_two_minutes_after_the_match_was_made(seat):
    match = run(ROOM)
    no = refused("too_early", match, Verb.LEAVE, seat, at(minutes=2) - TICK)
    assert no.facts["available_at"] == at(minutes=2)
    left = play(match, Verb.LEAVE, seat, at(minutes=2))
    assert (left.state, left.outcome, left.ending) == (State.VOID, Outcome.VOID, Ending.LEFT)
    assert left.sides[seat].left_at == at(minutes=2)
    assert left.sides[1 - seat].left_at is None


def test_room_that_nobody_enters_is_void_after_15_minutes():
    match = run(ROOM)
    assert match.deadline_at == at(minutes=15)
    over = expire(match, at(minutes=15))
    assert (over.state, over.ending) == (State.VOID, Ending.NEVER_ENTERED)


# --- §3.2 PLAYING ---


def test_enter_starts_play_with_three_hours():
    match = run(*ENTERED)
    assert (match.state, match.playing_at) == (State.PLAYING, at(seconds=20))
    assert match.deadline_at == at(hours=3, seconds=20)
    assert expire(match, match.deadline_at).ending is Ending.NEVER_REPORTED


@pytest.mark.parametrize("seat", [ONE, TWO])
def test_not_in_room_is_possible_in_the_first_five_minutes(seat):
    match = run(*ENTERED)
    back = play(match, Verb.NOT_IN_ROOM, seat, at(minutes=5, seconds=20) - TICK)
    assert (back.state, back.room_number) == (State.ROOM, "K7-204")
    assert back.deadline_at == at(minutes=20, seconds=20) - TICK
    refused("too_late", match, Verb.NOT_IN_ROOM, seat, at(minutes=5, seconds=20))


# --- §3.3 ABANDONED ---


def test_leave_play_frees_the_leaver_and_holds_the_other():
    match = run(*ABANDONED)
    assert match.state is State.ABANDONED
    assert [side.needed for side in match.sides] == [True, False]
    assert match.deadline_at == at(seconds=100, minutes=10)


def test_abandoned_match_is_void_if_the_stayer_leaves_or_says_nothing():
    assert run(*ABANDONED, (ONE, Verb.LEAVE, 110)).ending is Ending.NOT_FINISHED
    silent = run(*ABANDONED, (None, None, 700))
    assert (silent.state, silent.ending) == (State.VOID, Ending.ABANDONED)


def test_abandoned_match_goes_to_evidence_if_the_stayer_reports():
    match = run(*UNPROVEN)
    assert (match.state, match.cause, match.reporter) == (State.EVIDENCE, Cause.OWN_CHOICE, ONE)
    assert [side.needed for side in match.sides] == [True, False]  # the leaver may answer, but isn't held
    assert Verb.SUBMIT in possible(match, TWO, at(seconds=120))


# --- §3.4 REPORTING ---


def test_first_press_gives_the_other_five_minutes():
    match = run(*REPORTED)
    assert (match.state, match.reporter) == (State.REPORTING, ONE)
    assert match.deadline_at == at(seconds=600, minutes=5)
    assert awaited(match) == (TWO,)


def test_no_second_press_goes_to_evidence_whatever_the_first_declared():
    for moves in (REPORTED, (*REPORTED, (ONE, Verb.DECLARE, 605, "win"))):
        match = run(*moves, (None, None, 900))
        assert (match.state, match.cause, match.reporter) == (State.EVIDENCE, Cause.NO_RESPONSE, ONE)
        assert [side.needed for side in match.sides] == [True, False]
        assert match.deadline_at == at(seconds=900, minutes=5)


def test_declaring_needs_the_press():
    refused("report_first", run(*REPORTED), Verb.DECLARE, TWO, at(seconds=605), "win")


def test_declaring_alone_keeps_the_first_clock():
    assert run(*REPORTED, (ONE, Verb.DECLARE, 605, "win")).deadline_at == at(seconds=900)


def test_two_minutes_run_from_the_declaration_or_from_the_other_press_if_later():
    assert run(*BOTH, (ONE, Verb.DECLARE, 620, "win")).deadline_at == at(seconds=740)
    assert run(*REPORTED, (ONE, Verb.DECLARE, 605, "win"), (TWO, Verb.REPORT, 610)).deadline_at == at(seconds=730)


@pytest.mark.parametrize(
    ("seat", "claim", "outcome"),
    [
        (ONE, "win", Outcome.PLAYER1),
        (ONE, "loss", Outcome.PLAYER2),
        (ONE, "draw", Outcome.DRAW),
        (TWO, "win", Outcome.PLAYER2),
        (TWO, "loss", Outcome.PLAYER1),
        (TWO, "draw", Outcome.DRAW),
    ],
)
def test_one_declaration_stands_when_the_other_is_silent(seat, claim, outcome):
    match = run(*BOTH, (seat, Verb.DECLARE, 620, claim), (None, None, 740))
    assert (match.state, match.outcome, match.ending) == (State.SETTLED, outcome, Ending.SILENT_REPORT)


@pytest.mark.parametrize(("one", "two"), list(product(Claim, Claim)))
def test_two_declarations_settle_if_they_agree_and_are_asked_again_if_not(one, two):
    match = run(*BOTH, (ONE, Verb.DECLARE, 620, one), (TWO, Verb.DECLARE, 630, two))
    agreed = {("win", "loss"): Outcome.PLAYER1, ("loss", "win"): Outcome.PLAYER2, ("draw", "draw"): Outcome.DRAW}
    if (one, two) in agreed:
        assert (match.state, match.outcome) == (State.SETTLED, agreed[one, two])
        assert match.ending is Ending.AGREED
    else:
        assert match.state is State.RECONFIRM
        assert match.deadline_at == at(seconds=630, minutes=2)


def test_declaring_twice_is_refused():
    match = run(*BOTH, (ONE, Verb.DECLARE, 620, "win"))
    refused("already_declared", match, Verb.DECLARE, ONE, at(seconds=621), "loss")
    again = run(*DISPUTED, (ONE, Verb.DECLARE, 640, "win"))
    refused("already_declared", again, Verb.DECLARE, ONE, at(seconds=641), "loss")


@pytest.mark.parametrize("claim", ["", "won", "WIN", "3"])
def test_a_claim_that_is_none_is_refused(claim):
    refused("bad_claim", run(*BOTH), Verb.DECLARE, ONE, at(seconds=620), claim)


def test_first_presser_may_prove_instead_until_the_other_declares():
    match = run(*INSTEAD)
    assert (match.state, match.cause, match.reporter) == (State.EVIDENCE, Cause.OWN_CHOICE, ONE)
    assert [side.needed for side in match.sides] == [True, True]
    assert run(*BOTH, (ONE, Verb.PROVE_INSTEAD, 615)).state is State.EVIDENCE
    declared = run(*BOTH, (TWO, Verb.DECLARE, 620, "win"))
    refused("other_declared", declared, Verb.PROVE_INSTEAD, ONE, at(seconds=621))


def test_both_pressed_and_silent_goes_to_evidence_as_a_dispute():
    match = run(*BOTH)
    assert match.deadline_at == at(seconds=610, minutes=5)
    silent = expire(match, match.deadline_at)
    assert (silent.state, silent.cause) == (State.EVIDENCE, Cause.DISPUTE)
    assert [side.needed for side in silent.sides] == [False, False]  # both fell silent before it


def test_not_over_withdraws_the_press_and_the_claim():
    match = run(*REPORTED, (ONE, Verb.DECLARE, 605, "win"), (TWO, Verb.NOT_OVER, 610))
    assert (match.state, match.withdrawals, match.reporter) == (State.PLAYING, 1, None)
    assert (match.sides[ONE].pressed_at, match.sides[ONE].claim) == (None, None)
    assert match.deadline_at == at(seconds=610, hours=3)


def test_not_over_the_second_time_goes_to_review():
    match = run(*REPORTED, (TWO, Verb.NOT_OVER, 610), (TWO, Verb.REPORT, 620), (ONE, Verb.NOT_OVER, 630))
    assert (match.state, match.cause) == (State.REVIEW, Cause.NOT_OVER_TWICE)
    assert [side.needed for side in match.sides] == [False, False]


def test_not_over_is_refused_after_ones_own_press():
    refused("already_reported", run(*BOTH), Verb.NOT_OVER, TWO, at(seconds=620))
    refused("already_reported", run(*BOTH), Verb.REPORT, TWO, at(seconds=620))


# --- §3.5 RECONFIRM ---


def test_reconfirm_counts_only_its_own_claims():
    match = run(*DISPUTED, (ONE, Verb.DECLARE, 640, "loss"), (TWO, Verb.DECLARE, 650, "win"))
    assert (match.state, match.outcome, match.ending) == (State.SETTLED, Outcome.PLAYER2, Ending.AGREED)


def test_reconfirm_gives_two_minutes_from_the_first_declaration():
    match = run(*DISPUTED)
    assert match.deadline_at == at(seconds=750)
    assert play(match, Verb.DECLARE, TWO, at(seconds=700), value="win").deadline_at == at(seconds=820)


def test_reconfirm_one_silent_lets_the_other_claim_stand():
    match = run(*DISPUTED, (TWO, Verb.DECLARE, 640, "win"), (None, None, 760))
    assert (match.outcome, match.ending) == (Outcome.PLAYER2, Ending.SILENT_RECONFIRM)


def test_reconfirm_disputed_again_or_silent_twice_goes_to_evidence():
    assert run(*TWICE).cause is Cause.DISPUTE
    assert [side.needed for side in run(*TWICE).sides] == [True, True]
    silent = run(*DISPUTED, (None, None, 750))
    assert (silent.state, silent.cause) == (State.EVIDENCE, Cause.DISPUTE)


# --- §3.6 EVIDENCE, row by row ---

CAUSES = {"own choice": INSTEAD, "no response": UNANSWERED, "abandoned": UNPROVEN}


@pytest.mark.parametrize("moves", CAUSES.values(), ids=CAUSES)
def test_reporting_side_without_evidence_loses_at_once(moves):
    for before in ((), ((TWO, Verb.SUBMIT, 910),)):
        match = run(*moves, *before, (ONE, Verb.NO_EVIDENCE, 920))
        assert (match.state, match.outcome, match.ending) == (State.SETTLED, Outcome.PLAYER2, Ending.NO_PROOF)


@pytest.mark.parametrize("moves", CAUSES.values(), ids=CAUSES)
@pytest.mark.parametrize("other", [(), ((TWO, Verb.SUBMIT, 910),), ((TWO, Verb.NO_EVIDENCE, 910),)])
def test_reporting_side_that_lets_the_time_pass_loses(moves, other):
    match = run(*moves, *other)
    over = expire(match, match.deadline_at)
    assert (over.state, over.outcome, over.ending) == (State.SETTLED, Outcome.PLAYER2, Ending.PROOF_TOO_LATE)


@pytest.mark.parametrize("moves", CAUSES.values(), ids=CAUSES)
def test_reporting_side_with_evidence_goes_to_review(moves):
    submitted = run(*moves, (ONE, Verb.SUBMIT, 910))
    assert (submitted.state, submitted.sides[ONE].needed) == (State.EVIDENCE, False)  # free to queue at once
    assert expire(submitted, submitted.deadline_at).state is State.REVIEW
    for answer in (Verb.SUBMIT, Verb.NO_EVIDENCE):
        assert play(submitted, answer, TWO, at(seconds=920)).state is State.REVIEW


@pytest.mark.parametrize("moves", CAUSES.values(), ids=CAUSES)
def test_other_side_without_evidence_decides_nothing(moves):
    assert run(*moves, (TWO, Verb.NO_EVIDENCE, 910)).state is State.EVIDENCE


def test_dispute_with_nothing_proven_is_void():
    match = run(*TWICE)
    pressed = run(*TWICE, (ONE, Verb.NO_EVIDENCE, 660), (TWO, Verb.NO_EVIDENCE, 670))
    one_pressed = run(*TWICE, (ONE, Verb.NO_EVIDENCE, 660))
    for over in (pressed, expire(match, match.deadline_at), expire(one_pressed, match.deadline_at)):
        assert (over.state, over.outcome, over.ending) == (State.VOID, Outcome.VOID, Ending.NOTHING_PROVEN)


@pytest.mark.parametrize("seat", [ONE, TWO])
def test_dispute_with_one_submission_goes_to_review(seat):
    submitted = run(*TWICE, (seat, Verb.SUBMIT, 660))
    assert submitted.state is State.EVIDENCE
    assert expire(submitted, submitted.deadline_at).state is State.REVIEW
    assert play(submitted, Verb.NO_EVIDENCE, 1 - seat, at(seconds=670)).state is State.REVIEW


def test_an_answer_can_be_given_once():
    match = run(*TWICE, (ONE, Verb.SUBMIT, 660))
    for verb in (Verb.SUBMIT, Verb.NO_EVIDENCE):
        refused("already_answered", match, verb, ONE, at(seconds=661))


# --- §3.7, §3.8 ---


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("state", [State.REVIEW, State.SETTLED, State.VOID])
def test_ruling_decides_a_case_and_overturns_an_end(state, outcome):
    match = ruled(SAMPLES[state], outcome)
    assert match.state is (State.VOID if outcome is Outcome.VOID else State.SETTLED)
    assert (match.outcome, match.ending) == (outcome, Ending.RULED)


@pytest.mark.parametrize("state", RUNNING)
def test_ruling_on_a_running_match_is_refused(state):
    with pytest.raises(Conflict) as no:
        ruled(SAMPLES[state], Outcome.DRAW)
    assert no.value.code == "still_running"


# --- clocks ---


@pytest.mark.parametrize("state", State)
def test_every_running_state_has_a_clock_and_no_other(state):
    assert (state in RUNNING) == (state in CLOCKS) == (SAMPLES[state].deadline_at is not None)


@pytest.mark.parametrize("state", RUNNING)
def test_clock_is_due_at_its_deadline_and_not_a_tick_before(state):
    match = SAMPLES[state]
    assert not is_due(match, match.deadline_at - TICK)
    assert is_due(match, match.deadline_at)
    assert is_due(match, match.deadline_at + TICK)


def test_durations_can_be_set():
    short = replace(D, room=timedelta(minutes=1))
    assert new_match(T0, short).deadline_at == at(minutes=1)


# --- properties ---


@given(st.lists(st.tuples(st.sampled_from([ONE, TWO, None]), st.sampled_from(Verb), st.integers(0, 200)), max_size=25))
def test_any_sequence_of_moves_keeps_the_table_and_the_invariants(moves):
    match, now = new_match(T0), T0
    for seat, verb, wait in moves:
        now += timedelta(seconds=wait)
        before = match
        if seat is None or is_due(match, now):
            match = expire(match, now) if match.state in RUNNING else match
        else:
            value = "A1" if verb is Verb.SET_ROOM else "win"
            try:
                match = play(match, verb, seat, now, value=value)
            except Refusal:
                assert match is before
            else:
                assert match.state in MOVES[before.state, verb].leads_to
        assert (match.deadline_at is not None) == (match.state in RUNNING)
        assert (match.outcome is not None) == (match.state in (State.SETTLED, State.VOID))
        if match.state not in RUNNING:
            assert not any(side.needed for side in match.sides)
            assert possible(match, ONE, now) == possible(match, TWO, now) == []
        else:
            assert match.deadline_at > before.made_at
            assert awaited(match), "a clock that waits for nobody"


@given(st.sampled_from(Claim), st.sampled_from(Claim))
def test_agreement_is_what_both_claims_say(one, two):
    agreed = agreement(one, two)
    assert agreed is (outcome_of(one, ONE) if outcome_of(one, ONE) is outcome_of(two, TWO) else None)


def test_results_of_an_outcome_add_up():
    for outcome in (Outcome.PLAYER1, Outcome.PLAYER2, Outcome.DRAW):
        assert result_for(outcome, ONE) + result_for(outcome, TWO) == 1
    assert result_for(Outcome.VOID, ONE) is None


def test_possible_lists_what_play_would_accept():
    match = run(*REPORTED)
    assert possible(match, ONE, at(seconds=605)) == [Verb.DECLARE, Verb.PROVE_INSTEAD]
    assert possible(match, TWO, at(seconds=605)) == [Verb.REPORT, Verb.NOT_OVER]


def test_a_bad_room_number_is_invalid_and_not_a_conflict():
    with pytest.raises(Invalid):
        play(new_match(T0), Verb.SET_ROOM, ONE, T0, value="!")


def test_answers_are_recorded_with_their_time():
    side = run(*TWICE, (ONE, Verb.SUBMIT, 660)).sides[ONE]
    assert (side.answer, side.answered_at) == (Answer.SUBMITTED, at(seconds=660))


def test_every_move_of_the_table_names_states_that_exist():
    assert {state for move in MOVES.values() for state in move.leads_to} <= set(State)
    assert lifecycle.refusal(SAMPLES[State.ROOM], Verb.ENTER, TWO, at(seconds=30)) is None
