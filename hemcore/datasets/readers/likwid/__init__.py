"""What LIKWID writes: `likwid-perfctr`'s tables of totals (-o) and time lines (-t), `likwid-powermeter`'s energies."""
