"""What a refusal says, by its code. docs/errors.md lists the codes for programs."""

from django.utils.translation import gettext_lazy as _

TEXTS = {
    "too_fast": _("That was too often in a short time. Nothing was changed; try again in %(retry_after)s s."),
    "match_moved": _("The match had already moved on. Nothing was changed; this is how it stands now."),
    "wrong_state": _("That can't be done in this part of the match. Nothing was changed."),
    "not_yours_to_do": _("That is for your opponent to do. Nothing was changed."),
    "not_your_match": _("Only the two players can do this."),
    "no_such_match": _("There is no such match."),
    "no_such_player": _("There is no such player."),
    "too_early": _("Leaving opens at %(available_at)s."),
    "too_late": _("That was possible only in the first minutes of play."),
    "no_room_number": _("Player 1 hasn't entered a room number yet."),
    "bad_room_number": _("Use 1 to 20 letters, digits or hyphens, without spaces."),
    "already_reported": _("You have already pressed “report result”."),
    "report_first": _("Press “report result” first."),
    "already_declared": _(
        "You have already declared. A claim can't be changed here; if the two differ, both declare again."
    ),
    "bad_claim": _("Choose won, lost or drew."),
    "other_declared": _("Your opponent has declared, so evidence can't be chosen instead any more."),
    "already_answered": _("You have already answered. Nothing more can be added."),
    "still_running": _("The match is still running; there is nothing to rule on yet."),
    "bad_state": _("Send the state that you saw, so that a late click does no harm."),
    "use_submit": _("Evidence is handed in through its own address."),
    "bad_condition": _("Choose “within 100 points” or “no limit”."),
    "already_waiting": _("You are already waiting."),
    "needed_by_match": _("A match needs you. Finish it, then queue again."),
    "not_waiting": _("You aren't waiting any more."),
    "no_pictures": _("Attach at least one screenshot first."),
    "too_many_pictures": _("You have attached %(limit)s pictures, which is all that one side can hand in."),
    "remark_too_long": _("Shorten the remark to %(limit)s characters."),
    "no_such_picture": _("There is no such picture."),
    "picture_too_large": _("The file is larger than %(limit_mb)s MB. Send a smaller one; nothing was stored."),
    "picture_missing": _("Choose a picture first; nothing was stored."),
    "picture_empty": _("The file is empty. Choose another; nothing was stored."),
    "picture_heic": _("HEIC and AVIF can't be read here. Send a JPEG, PNG or WebP; nothing was stored."),
    "picture_not_image": _("This isn't a JPEG, PNG or WebP picture. Send one of these; nothing was stored."),
    "picture_animated": _("The picture is animated. Send a still one; nothing was stored."),
    "picture_too_many_pixels": _(
        "The picture has more than %(limit_mp)s million pixels. Send a smaller one; nothing was stored."
    ),
    "picture_damaged": _("The picture is damaged or cut off. Send it again; nothing was stored."),
    "not_a_moderator": _("Only moderators can do this."),
    "own_match": _("You played in this match, so another moderator has to rule on it."),
    "already_ruled": _(
        "%(moderator)s has ruled on this match meanwhile. Look at that ruling before you write your own."
    ),
    "bad_outcome": _("Choose an outcome."),
    "reason_needed": _("Write a reason: which picture decided, and where in it."),
    "reason_too_long": _("Shorten the reason to %(limit)s characters."),
}
