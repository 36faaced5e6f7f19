"""What is asked for: columns and their roles, and every choice of a release."""
