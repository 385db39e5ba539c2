"""The services: the only writers. Keyword arguments and `now` come in; refusals are raised from `common.errors`."""
