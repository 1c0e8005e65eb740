"""Exact equity: one module a method, all returning tallies of integers or exact weighted sums."""
