"""Monte Carlo: random numbers, joint choices of hands, dealing, stop rules."""
