"""Who plays in the demo. `manage.py demo` prints how to sign in as them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group

from accounts.models import User
from ratematch.policies import MODERATORS

PASSWORD = "banzuke-demo"  # noqa: S105  # well known on purpose; the command keeps it off real sites
DOMAIN = "demo.invalid"
MODERATOR, ADMIN = "kunugi", "admin"
TOTP_SECRET = "MJQW46TVNNSS2ZDFNVXS2ZDFNVXSAIBA"  # noqa: S105  # as well known: see `manage.py demo_code`


@dataclass(frozen=True, slots=True)
class Person:
    """A demo player. `strength` is the rating that results are drawn by; `keenness` how often they play."""

    name: str
    address: str
    language: str
    time_zone: str
    strength: int
    keenness: float

    @property
    def email(self) -> str:
        return f"{self.address}@{DOMAIN}"


PEOPLE = (
    Person("kawasemi", "kawasemi", "ja", "Asia/Tokyo", 1500, 1.1),
    Person("tobira-04", "tobira-04", "ja", "Asia/Tokyo", 1470, 1.2),
    Person("mizunara", "mizunara", "ja", "Asia/Tokyo", 1760, 1.2),
    Person("Quarry8", "quarry8", "en", "Europe/London", 1610, 1.1),
    Person("shiosai_k", "shiosai_k", "ja", "Asia/Tokyo", 1440, 0.8),
    Person("Linden", "linden", "en", "Europe/Berlin", 1420, 0.9),
    Person("tsuki-no-wa", "tsuki-no-wa", "ja", "Asia/Tokyo", 1690, 0.9),
    Person("hoshi-kuzu", "hoshi-kuzu", "zh-hans", "Asia/Taipei", 1350, 1.1),
    Person("yoake_72", "yoake_72", "ja", "Asia/Tokyo", 1540, 1.0),
    Person("nagi_hare", "nagi_hare", "ja", "Asia/Tokyo", 1650, 1.0),
    Person("ferrule", "ferrule", "en", "America/Toronto", 1290, 0.8),
    Person("Pell", "pell", "en", "Europe/London", 1230, 0.8),
    Person("松间", "songjian", "zh-hans", "Asia/Shanghai", 1580, 1.0),
)


def are_there() -> bool:
    """Whether the demo has been loaded before."""
    return User.objects.filter(email=PEOPLE[0].email).exists()


def make(now: datetime) -> dict[str, User]:
    """Make the players, the moderator and the administrator; answers them by name.

    One hash serves all, since one costs a quarter of a second and they share the password anyway.
    """
    password = make_password(PASSWORD)
    users = {}
    for number, person in enumerate(PEOPLE):
        users[person.name] = User(
            email=person.email,
            display_name=person.name,
            password=password,
            language=person.language,
            time_zone=person.time_zone,
            date_joined=now - timedelta(days=40, hours=7 * number),
        )
    for name, superuser in ((MODERATOR, False), (ADMIN, True)):
        users[name] = User(
            email=f"{name}@{DOMAIN}",
            display_name=name,
            password=password,
            is_staff=True,
            is_superuser=superuser,
            date_joined=now - timedelta(days=60),
        )
    for user in users.values():
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    for name in (MODERATOR, ADMIN):  # staff sign in with a second factor
        TOTP.activate(users[name], TOTP_SECRET)
    users[MODERATOR].groups.add(Group.objects.get(name=MODERATORS))
    return users
