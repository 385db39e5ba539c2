"""Dates and times in Simplified Chinese."""

DATE_FORMAT = "Y年n月j日"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "Y年n月j日 H:i"
MONTH_DAY_FORMAT = "n/j"
SHORT_DATE_FORMAT = "Y/n/j"
SHORT_DATETIME_FORMAT = "Y/n/j H:i"
