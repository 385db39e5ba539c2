"""What a refusal says, by its code. docs/errors.md lists the codes for programs."""

from django.utils.translation import gettext_lazy as _

TEXTS = {
    "bad_move": _("“%(text)s” isn't a move. Nothing was changed."),
    "no_such_piece": _("“%(text)s” names a piece that isn't there. Nothing was changed."),
    "ambiguous_move": _("“%(text)s” fits more than one move: %(moves)s. Nothing was changed."),
    "move_from_empty": _("%(move)s: no piece stands there. Nothing was changed."),
    "move_other_side": _("%(move)s: that piece is your opponent's. Nothing was changed."),
    "move_impossible": _("%(move)s: that piece can't go there. Nothing was changed."),
    "move_exposes_king": _("%(move)s: your king could be taken then. Nothing was changed."),
    "fen_too_long": _("A FEN has at most %(limit)s characters."),
    "fen_fields": _("A FEN is the board, the side to move, and “- -” with two numbers."),
    "fen_turn": _("The side to move is “w” or “b”, not “%(text)s”."),
    "fen_clock": _("“%(text)s” isn't a number of moves."),
    "fen_ranks": _("The board has ten ranks; these are %(found)s."),
    "fen_files": _("A rank has nine files; rank %(rank)s has %(found)s."),
    "fen_letter": _("“%(letter)s” on rank %(rank)s is neither a piece nor a number of empty squares."),
    "fen_kings": _("Each side has one king; there are %(found)s of “%(piece)s”."),
    "fen_place": _("“%(piece)s” can't stand on %(square)s."),
    "fen_too_many": _("There are %(found)s of “%(piece)s”, more than a set has."),
    "fen_check": _("The side that isn't to move stands in check."),
    "record_encoding": _("The record is text in none of UTF-8, UTF-16 and GB 18030."),
    "record_empty": _("There is no game in it."),
    "record_fen": _("The record's position can't be read."),
    "record_move": _("Ply %(ply)s, “%(text)s”, can't be played. The record is good up to there."),
    "record_junk": _("At ply %(ply)s stands “%(text)s”, which isn't part of a record. It is good up to there."),
    "record_breaks_off": _("The record breaks off at ply %(ply)s. It is good up to there."),
}
