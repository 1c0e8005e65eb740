"""What stands behind the pictures: categories, next cards, streets, grids. Computed here, printed elsewhere."""
