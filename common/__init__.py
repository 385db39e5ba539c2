"""What every app may use: errors, the clock, live updates. No models and no game words."""
