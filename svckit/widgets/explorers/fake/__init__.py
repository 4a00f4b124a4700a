"""Explorers that control an in-process fake: its rules, and everything else in it."""
