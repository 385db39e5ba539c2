"""What the suite runs against: real servers, a real site, a real browser. Nothing here is shipped logic."""
