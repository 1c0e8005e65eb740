"""Showdowns in bulk: rows of tables and recorded hands in, winners, shares and chips out."""
