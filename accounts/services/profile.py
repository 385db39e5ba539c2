"""What users change about themselves."""

from typing import TypedDict, Unpack

from django.db import IntegrityError, transaction

from accounts.models import User
from common.errors import Invalid


class Settings(TypedDict, total=False):
    """What a user can change, by column."""

    display_name: str
    language: str
    time_zone: str
    theme: str
    sound: bool


def change_settings(*, user_id: int, **changes: Unpack[Settings]) -> User:
    """Store a user's settings; they must have passed `accounts.forms.SettingsForm` or its like. Others stay untouched.

    Raises:
        Invalid: `name_taken`, when another user took the name at the same moment.
    """
    try:
        with transaction.atomic(durable=True):
            User.objects.filter(pk=user_id).update(**changes)
    except IntegrityError as error:
        raise Invalid("name_taken", field="display_name") from error
    return User.objects.get(pk=user_id)


def set_language(*, user_id: int, language: str) -> None:
    """Store the language that a user chose in the menu; `language` is one of settings.LANGUAGES."""
    with transaction.atomic(durable=True):
        User.objects.filter(pk=user_id).update(language=language)


def set_sound(*, user_id: int, sound: bool) -> None:
    """Store whether a made match makes a sound."""
    with transaction.atomic(durable=True):
        User.objects.filter(pk=user_id).update(sound=sound)
