"""A release in parts, whatever the engine: a survey, a plan, and parts whose counts add up."""
