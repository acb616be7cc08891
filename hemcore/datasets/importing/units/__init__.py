"""Numbers with units: as plain ones, in the base unit."""
