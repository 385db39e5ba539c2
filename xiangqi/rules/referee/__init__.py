"""The referee of §1.2: perpetual check and chase, and the draws.

`chase` says what a chase is, `runs` counts turns, `limits` says what a count leads to, `tally` puts them together.
"""
