"""The site's figures as Prometheus reads them: requests, counted in each process, and gauges, asked of the database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime

import prometheus_client
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from accounts.gauges import Gauge
from config.discovery import modules

CONTENT_TYPE = prometheus_client.CONTENT_TYPE_LATEST


def page(now: datetime) -> bytes:
    """All figures. Where several processes count together (PROMETHEUS_MULTIPROC_DIR), those of all of them."""
    counted = prometheus_client.REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        counted = prometheus_client.CollectorRegistry()
        MultiProcessCollector(counted)
    asked = prometheus_client.CollectorRegistry()
    asked.register(_Asked(now))
    return prometheus_client.generate_latest(counted) + prometheus_client.generate_latest(asked)


class _Asked(prometheus_client.registry.Collector):
    """The gauges of all apps as they are now."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def collect(self) -> Iterator[Metric]:
        """One family for each name."""
        families: dict[str, GaugeMetricFamily] = {}
        for gauge in (gauge for _app, module in modules("gauges") for gauge in module.gauges(self.now)):
            family = families.setdefault(gauge.name, _family(gauge))
            family.add_metric(list(gauge.labels.values()), gauge.value)
        yield from families.values()


def _family(gauge: Gauge) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"banzuke_{gauge.name}", gauge.words, labels=list(gauge.labels))
