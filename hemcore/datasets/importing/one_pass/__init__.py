"""Tables of numbers alone, read in one pass; many files of one shape, quickly and in little memory."""
