"""What a refusal says, by its code. docs/errors.md lists the codes for programs."""

from django.utils.translation import gettext_lazy as _

TEXTS = {
    "not_three_cards": _("Choose three cards. Nothing was changed."),
    "unknown_card": _("“%(card)s” isn't a card. Nothing was changed."),
    "same_card_twice": _("Choose three different cards. Nothing was changed."),
    "both_jokers": _("Nobody ever holds both jokers. Nothing was changed."),
    "card_not_held": _("%(card)s isn't in your hand. Nothing was changed."),
    "battle_finished": _("The game is over. Nothing was changed."),
    "battle_unfinished": _("The game isn't over yet."),
    "bad_poker_deck": _("A deck is the 52 cards without jokers, each of them once."),
    "no_such_seat": _("There are two seats, 0 and 1."),
    "no_such_round": _("There are rounds 1 to %(rounds)s."),
    "bad_server_seed": _("A server seed has %(bytes)s bytes."),
    "bad_deal_words": _("Shorten your words to %(limit)s characters of plain text."),
}
