"""For tests of properties: however busy the machine is, no example is too slow."""

from hypothesis import HealthCheck, settings

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
