"""Runs rule JSON directly, written from the contract alone: the oracle that compiled packages are held against."""
