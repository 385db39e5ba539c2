"""The two roles, the one policy, and a case for every match that waits for a ruling already."""

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.models import Max

MODERATOR = {"ratematch": ["rule_match"]}
CHIEF = {
    "ratematch": [
        "rule_match",
        "overturn_match",
        "appoint_moderators",
        "view_fairplaypolicy",
        "change_fairplaypolicy",
        "view_reasontemplate",
        "add_reasontemplate",
        "change_reasontemplate",
        "delete_reasontemplate",
    ]
}


def make_roles(apps, schema_editor):
    config = apps.get_app_config("ratematch")
    config.models_module = True  # permissions are made after all migrations, and the roles need them now
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = None
    group, permission = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    for name, may in (("Moderators", MODERATOR), ("Chief moderators", CHIEF)):
        role, _made = group.objects.get_or_create(name=name)
        for app, codenames in may.items():
            role.permissions.add(*permission.objects.filter(content_type__app_label=app, codename__in=codenames))


def make_policy(apps, schema_editor):
    apps.get_model("ratematch", "FairPlayPolicy").objects.get_or_create(pk=1)


def open_cases(apps, schema_editor):
    match, case = apps.get_model("ratematch", "Match"), apps.get_model("ratematch", "Case")
    event = apps.get_model("ratematch", "MatchEvent")
    for row in match.objects.filter(state="review").iterator():
        since = event.objects.filter(match=row, state_to="review").aggregate(at=Max("at"))["at"]
        case.objects.create(kind="review", match=row, opened_at=since or row.made_at)


class Migration(migrations.Migration):
    dependencies = [
        ("ratematch", "0002_fair_play_free_matches_cases"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(make_roles, migrations.RunPython.noop),
        migrations.RunPython(make_policy, migrations.RunPython.noop),
        migrations.RunPython(open_cases, migrations.RunPython.noop),
    ]
