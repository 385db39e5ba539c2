"""How rated matches look in JSON."""
