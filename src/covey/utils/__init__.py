"""What every room may import; it knows no release."""
