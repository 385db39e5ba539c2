"""What users change about themselves."""

from django.db import IntegrityError, transaction

from accounts.models import User
from common.errors import Invalid


def change_settings(*, user_id: int, display_name: str, language: str, time_zone: str, theme: str, sound: bool) -> User:
    """Store a user's settings; they must have passed `accounts.forms.SettingsForm` or its like.

    Raises:
        Invalid: `name_taken`, when another user took the name at the same moment.
    """
    fields = {
        "display_name": display_name,
        "language": language,
        "time_zone": time_zone,
        "theme": theme,
        "sound": sound,
    }
    try:
        with transaction.atomic(durable=True):
            User.objects.filter(pk=user_id).update(**fields)
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
