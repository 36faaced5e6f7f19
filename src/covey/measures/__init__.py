"""What an attacker gains and an analyst loses, and which of these numbers are published."""
