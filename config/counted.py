"""What each process counts of its own work. Apart from config/metrics.py, which knows the tables: Celery's start, which
comes before them, needs this."""

import prometheus_client

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)

requests = prometheus_client.Histogram(
    "banzuke_request_seconds",
    "Time from the first byte of a request to its answer, by route.",
    ["method", "route", "status"],
    buckets=SECONDS,
)
streams_open = prometheus_client.Gauge(
    "banzuke_streams_open", "Event streams that this process serves.", multiprocess_mode="livesum"
)
