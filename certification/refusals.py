"""What a refusal says, by its code. docs/errors.md lists the codes for programs."""

from django.utils.translation import gettext_lazy as _

TEXTS = {
    "unknown_rank": _("“%(rank)s” isn't a rank. Ranks run from 十級 to 十段."),
    "unknown_table": _("“%(table)s” isn't a table. Tables are 初級, 中級 and 上級."),
    "unknown_rule_version": _("“%(version)s” isn't a version of the rules."),
    "bad_exp": _("EXP are whole numbers, and never below zero."),
    "hand_too_few_players": _("A hand needs at least two players with an ante."),
    "hand_bad_amount": _("%(player)s: antes and bets are whole chips, and never below zero."),
    "hand_unequal_antes": _("%(player)s has an ante of %(amount)s, others of %(expected)s. All antes are equal."),
    "hand_no_ante": _("%(player)s has no ante, so this hand wasn't dealt to that seat."),
    "hand_no_winner": _("Name at least one winner."),
    "hand_winner_twice": _("%(player)s is named as a winner twice."),
    "own_opponent": _("%(player)s can't be their own opponent."),
    "table_bad_seat": _("Each seat needs a player, a rank, a time of sitting down and a number."),
    "table_seated_twice": _("%(player)s already sits at this table."),
    "table_seat_taken": _("%(player)s and %(other)s can't both have seat %(seat)s."),
    "table_bad_lock": _("A lock is between two different players, and nobody has two."),
    "table_not_seated": _("%(player)s doesn't sit at this table."),
    "table_bad_event": _("Entry %(place)s of the table's log can't be read."),
    "hand_over": _("The hand is over. Nothing was changed."),
    "hand_not_your_turn": _("It is seat %(turn)s's turn. Nothing was changed."),
    "hand_move_not_possible": _("That move can't be made now. Nothing was changed."),
    "hand_too_few_chips": _("Seat %(seat)s has %(chips)s chips; being dealt in takes %(needed)s."),
    "hand_not_dealt_in": _("Seat %(seat)s isn't in this hand."),
    "hand_bad_kind": _("There is no such kind of hand. Tables play five-card draw or hold'em."),
    "hand_bad_seats": _("A hand is for two to five different seats."),
    "hand_bad_stakes": _("The ante and the bet unit are whole chips, at least one each."),
    "hand_bad_deck": _("A deck is the 52 cards, each of them once."),
    "hand_bad_move": _("There is no such move."),
    "hand_bad_discard": _("Seat %(seat)s doesn't hold %(card)s, or it was named twice. Nothing was changed."),
}
