"""Which notices of rated matches aren't about playing; who wants those by mail may not want the others."""

GROUPS = dict.fromkeys(
    (
        "ratematch.level_changed",
        "ratematch.penalised",
        "ratematch.penalty_withdrawn",
        "ratematch.report_closed",
        "ratematch.review",
        "ratematch.ruled",
    ),
    "moderation",
)
