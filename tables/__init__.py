"""Where the numbers come from: generators with their reasoning, the built data, and `load`."""
