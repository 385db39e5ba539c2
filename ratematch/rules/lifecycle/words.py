"""The words of a match's life (rules §3)."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    ROOM = "room"
    PLAYING = "playing"
    ABANDONED = "abandoned"
    REPORTING = "reporting"
    RECONFIRM = "reconfirm"
    EVIDENCE = "evidence"
    REVIEW = "review"
    SETTLED = "settled"
    VOID = "void"


RUNNING = (State.ROOM, State.PLAYING, State.ABANDONED, State.REPORTING, State.RECONFIRM, State.EVIDENCE)
"""The states that have a clock. REVIEW waits for a moderator; SETTLED and VOID are ends."""


ATTACHING = (State.PLAYING, State.ABANDONED, State.REPORTING, State.RECONFIRM, State.EVIDENCE)
"""The states in which screenshots may be attached."""


class Verb(StrEnum):
    SET_ROOM = "set_room_number"
    ENTER = "enter_room"
    WRONG_NUMBER = "wrong_number"
    LEAVE = "leave_match"
    NOT_IN_ROOM = "not_in_room"
    REPORT = "report_result"
    NOT_OVER = "not_over"
    DECLARE = "declare"
    PROVE_INSTEAD = "prove_instead"
    SUBMIT = "submit_evidence"
    NO_EVIDENCE = "no_evidence"


class Claim(StrEnum):
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


class Outcome(StrEnum):
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    DRAW = "draw"
    VOID = "void"


class Answer(StrEnum):
    SUBMITTED = "submitted"
    NONE = "none"


class Cause(StrEnum):
    """Why a match came to EVIDENCE, or straight to REVIEW."""

    NO_RESPONSE = "no_response"
    OWN_CHOICE = "own_choice"
    DISPUTE = "dispute"
    NOT_OVER_TWICE = "not_over_twice"


class Ending(StrEnum):
    """What decided a match; the "why card" tells it in words."""

    LEFT = "left"
    NEVER_ENTERED = "never_entered"
    NEVER_REPORTED = "never_reported"
    NOT_FINISHED = "not_finished"
    ABANDONED = "abandoned"
    AGREED = "agreed"
    SILENT_REPORT = "silent_report"
    SILENT_RECONFIRM = "silent_reconfirm"
    NO_PROOF = "no_proof"
    PROOF_TOO_LATE = "proof_too_late"
    NOTHING_PROVEN = "nothing_proven"
    RULED = "ruled"


class Who(StrEnum):
    """Who of the two a move is for."""

    EITHER = "either"
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    STAYER = "stayer"  # who did not leave
    FIRST = "first"  # who pressed "report result" first
    OTHER = "other"  # who did not press first


BY_SILENCE = (Ending.SILENT_REPORT, Ending.SILENT_RECONFIRM, Ending.NO_PROOF, Ending.PROOF_TOO_LATE)
"""The endings in which one lost for having said or shown nothing (§3.4c, §3.5, first row of §3.6): these can be
contested (§9)."""
