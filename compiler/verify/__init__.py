"""Runs a fresh package against the interpreter before it is written: random inputs, the smallest one that differs."""
