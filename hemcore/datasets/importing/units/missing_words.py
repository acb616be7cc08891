"""What people, tools and spreadsheets write in a cell where there is no value."""

import re

# In small letters: with a blank, then of one word.
_OF_SEVERAL = (
    "k. a.", "n. a.", "n. d.", "n. v.", "s. d.", "n. b.", "not counted", "not supported", "not available", "no data", "no value",
    "sin dato", "sin datos", "non disponible", "no disponible", "keine angabe", "keine daten", "nicht verfügbar", "sem dados",
    "<not counted>", "<not supported>", "ohne angabe", "sans objet", "sin objeto", "not measured", "nicht gemessen", "non mesuré",
)  # fmt: skip
_OF_ONE = (
    "na n/a #n/a nan null none nil - -- --- – — . .. ... … -/- ./. ? missing undefined unavailable absent"
    " <na> <null> (null) [null] (none) \\n nat nodata no_data not_counted not_supported"
    " -nan +nan -nan(ind) nan(ind) 1.#qnan -1.#ind #qnan"
    " -,- -.- --,- --.- --,-- --.-- ---,- ---.- *** **** ***** err"
    " #### ##### ###### ####### ########"  # a column too narrow for its number
    " k.a. k.a k/a n.a. n.d. n.v. n.b. n/b n/v fehlt leer entfällt #nv"
    " n.c. n.c n/c n.r. n/r n.m. nd n/d s/d s/o s.o. s.d. #n/d #n/disp manquant manquante vacío mancante assente ausente brak н/д 无"
)
MISSING = frozenset(("", *_OF_SEVERAL, *_OF_ONE.split()))
# What Excel and LibreOffice write where a formula has no value, in English, German, French, Spanish, Italian and Portuguese.
SHEET_ERROR = re.compile(
    r"#(?:¡?DIV/0!|¡?REF!|NAME\?|¡?VALUE!|¡?N[UÚ]M(?:ERO)?!|¡?NUL[LO]!|SPILL!|CALC!|WERT!|BEZUG!|ZAHL!|NV|VALEUR!|¿?NO(?:MBR|M)E\?"
    r"|NOMBRE!|NOM\?|¡?VALORE?!|RIF!)|Err:5\d\d"
)
