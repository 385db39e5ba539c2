"""A flag may penalise again after its first penalty was withdrawn."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("ratematch", "0004_words")]

    operations = [
        migrations.RemoveConstraint(model_name="penalty", name="a_flag_penalises_once"),
        migrations.AddConstraint(
            model_name="penalty",
            constraint=models.UniqueConstraint(
                fields=["flag"], condition=Q(withdrawn_at=None), name="a_flag_penalises_once"
            ),
        ),
    ]
