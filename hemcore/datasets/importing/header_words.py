"""What names of columns mean, in English, German and French: time, run, program, event, comment and so on."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from hemcore.datasets.importing.recipe import Role, TimeUnit

_UNITS: dict[TimeUnit, str] = {
    "s": "s sec secs second seconds sek sekunde sekunden seconde secondes seg segundos secondi seconden с сек 秒",
    "ms": "ms millis msec msecs millisecond milliseconds millisekunden millisecondes",
    "us": "us micros usec microsecond microseconds mikrosekunden microsecondes",
    "ns": "ns nsec nanosecond nanoseconds nanosekunden nanosecondes",
    "min": "min mins minute minutes minuten",
    "h": "h hour hours stunden std heures",
}
UNITS: dict[str, TimeUnit] = {word: unit for unit, words in _UNITS.items() for word in words.split()}
# Powers of ten that counts are multiples of.
SCALE = r"(?:[x×*]\s*)?(?:10(?:\^|\*\*)|1?[eE]\+?0?)([369])"
SHORT_SCALES = {"tsd": "k", "mio": "M", "mln": "M", "bn": "G", "mrd": "G"}  # as cells have them, too: "1,2 Mio."
_SCALES = (
    {"k": "k", "K": "k", "M": "M", "G": "G"}
    | SHORT_SCALES
    | {
        word: letter
        for letter, words in (
            ("k", "thousand thousands tausend kilo"),
            ("M", "million millions millionen mega"),
            ("G", "billion billions milliarden giga"),
        )
        for word in words.split()
    }
)
UNIT_HEADERS = frozenset("unit units einheit einheiten unite unites uom".split())  # of a column that says the unit of each row
_WORDS: dict[str, str] = {
    "time": "tiempo marcadetiempo hora tempo tijd tijdstip czas tid cas время 时间 時間 時刻 시간 "
    "time timestamp t elapsed elapsedtime second endtime intervalend seconds sec milliseconds microseconds nanoseconds timeelapsed"
    " uptime sinceboot sincestart timeunixnano timeunixnanos unixnano observedtimeunixnano"
    " timesec datetime dateandtime datetimeutc dateutc timeutc localtime walltime zeit zeitstempel zeitpunkt uhrzeit laufzeit sekunden"
    " millisekunden datumzeit datumuhrzeit datumunduhrzeit temps heure horodatage instant dateheure dateetheure tempsecoule",
    "time?": "hour hours minute minutes minuten stunden heures wallclock wallclocktime"
    " start end begin stop beginn anfang ende debut fin starttime startzeit endzeit anfangszeit tstart tend tbegin timestart timeend"
    " millis micros ms ts x epoch unixtime unixtimestamp stamp duration dauer duree",
    "date": "date datum jour tag day",
    "run": "ejecucion corrida prueba medicion esecuzione prova misura execucao medicao uitvoering meting pomiar przebieg"
    " korning matning прогон запуск измерение 运行 轮次 実行 実行回 "
    "run runid runno runnumber runnr repetition rep repeat repeats iteration iter trial replicate attempt seed execution lauf laufnr"
    " laufnummer durchlauf durchgang wiederholung wdh messung messungnr versuch versuchnr essai passage passe noessai nessai numeroessai"
    " mesure",
    "interval": "interval intervalid slot sample intervalo intervallo intervall intervalle echantillon",
    "interval?": "index idx indice i x step schritt pas",
    "row": "line lineno linenumber fila riga linha regel wiersz rad строка 行 序号 "
    "nr no n lfdnr zeile row rownr rownumber ligne id unnamed0 num numero nummer pos",
    "year": "year years jahr jahre annee annees an",
    "program": "programa programma applicazione aplicacao aplicacion программа 程序 プログラム "
    "jobname testname testcase stressor appname "
    "program application app benchmark workload command cmd commandline programm anwendung befehlszeile kommando programme"
    " commande executable binary",
    "subexperiment": "subexperiment experiment group batch set eventset eventgroup gruppe messreihe teilexperiment groupe lot serie"
    " config configuration konfiguration governor cpugovernor scalinggovernor frequencysetting setting settings einstellung",
    "stage": "stage phase phases phaseid phaseno phasenr phasenumber phasennummer state abschnitt etape zustand etat region segment",
    "load": "load scenario background last charge",
    "granularity": "granularity granu phasesize phaselength granularitat granularite",
    "place": "instance entity "
    "core cpu coreid cpuid socket socketid skt package packageid pkg"
    " thread threadid hwthread tid rank node nodeid knoten noeud device deviceid gpu kern prozessor coeur"
    " processeur processor",
    "event name": "variable messgrosse kenngrosse grandeur"
    " event hem counter metric eventname countername metricname hemname ereignis ereignisname zahler zahlername metrik"
    " evenement nomevenement compteur nomcompteur metrique",
    "value": "value values count counts reading readings countervalue wert werte messwert anzahl valeur valeurs nombre",
    "share": "share sharecounted running pcntrunning pctrunning percentrunning anteil part",
    "text": "otherlines comentario nota notas commento opmerking uwagi kommentarer anteckning комментарий 备注 備考 "
    "comment comments remark remarks note notes bemerkung kommentar anmerkung notiz commentaire remarque host hostname"
    " machine rechner maschine hote unit einheit unite description beschreibung",
    "summary": "total totals sum sums summe gesamt gesamtsumme insgesamt somme mean means average avg mittel mittelwert durchschnitt"
    " moyenne median mediane stdev std stddev sd standardabweichung ecarttype min minimum max maximum grandtotal totalgeneral cv"
    " cov geomean aggregated aggregate overall",
}
# Numbers that stand for something: never counts.
_IDENTIFIERS = frozenset("corrid correlationid pid ppid uid gid tgid processid userid groupid jobid stepid".split())
_IDENTIFIER = re.compile(r".+[\W_](?:pid|tid|uid|gid)", re.IGNORECASE)  # "prev_tid"
_NUMBERS_SOMETHING = re.compile(r".+[\W_]id", re.IGNORECASE)  # "config_id", where it is no part of the machine and no run
# Where code or data lie, whatever the base of the numbers; what points there, where they are hexadecimal.
_ADDRESS = re.compile(r"addr(?:ess)?|adresse?|adresa|direccion|indirizzo|endereco|адрес|地址|アドレス")
_POINTER = re.compile(r"(?:.*[\W_])?(?:[re]?ip|pc|lr|pointer|ptr|program counter|rva)", re.IGNORECASE)
# How a program was run; beside counts, they are asked about where they vary.
_SETTINGS = frozenset(
    "version threads nthreads numthreads nprocs ntasks nranks forks repetitions warmups batchsize problemsize"
    " exitcode exitstatus returncode retcode rc nodes nnodes numnodes".split()
)
ROW_NAMES = frozenset(("name", "function", "kernel", "kernelname", "routine", "symbol", "funktion", "fonction"))
# Of the columns of stages, those that number or name the phases of a program.
PHASE_NAMES = frozenset("phase phases phaseid phaseno phasenr phasenumber phasennummer stage region segment abschnitt etape".split())
_MEANING = {word: meaning for meaning, words in _WORDS.items() for word in words.split()}
_UNIT = re.compile(r"(.+?)(?:[\s_]+|[\s_]*[(\[/,（]\s*(?:in\s+)?)([^\W\d_]+)\s*[)\]）]?")
_JOINED = re.compile(r"(\w*[a-z])In([A-Z][a-z]+)")
_SHARE = re.compile(
    r"(?:share(?: counted)? of\s+(?P<after>.+)|(?P<before>.+?)[\s_:.\-]+\(?(?:share(?:[\s_]counted)?"
    r"|(?:(?:pct|percent|time)[\s_]?)?running(?:[\s_]?[(\[]?(?:pct|percent|%|share|ratio)[)\]]?)?|anteil|part)\)?)",
    re.I,
)
# Of what may be below zero and is no count.
_NO_COUNT = re.compile(
    r"temp|delta|diff|offset|error|fehler|ander|ecart|erreur|drift|skew|latitude|longitude|variation|volt|amp[e]?re|current|celsius|spannung"
    r"|strom|tension|tensao|courant|corriente|corrente|accel|gyro|(?<=.[\s(\[_])(?:d?bm?|deg ?c|[mµu]?[va])\b",
    re.I,
)


# As Prometheus and meters call what only grows.
_CUMULATIVE = re.compile(
    r"\w_total(?![A-Za-z0-9])|cumul|kumul|accumulated|zahlerstand|zaehlerstand|(?:^|[\W_])cum(?:[\W_]|$)|since[ _](?:boot|start|reset)"
)
# Compound words for a time that goes on; what ends alike and says how long each row took is none.
_COMPOUND = re.compile(
    r"[a-z]{2,}(?:zeit|tijd)|[a-z]*uptime|(?:operating|operation|running|on|system|test|record(?:ing)?|log(?:ging)?|measuring|sampl(?:e|ing))time"
)
_LASTING = re.compile(
    r"(?:rechen|antwort|warte|ausfu?e?hrungs|reaktions|zugriffs|cpu|benutzer|user|leerlauf|bearbeitungs|u?e?bersetzungs|lade|anlauf|ruhe|tot"
    r"|halbwerts)zeit"
)
_TIME_WORDS = {"time", "timestamp", "zeit", "zeitstempel", "uhrzeit", "messzeit", "temps", "heure", "horodatage"}
# Words of German and French alone: there the day comes first.
_CONTINENTAL = frozenset(
    "zeit zeitstempel zeitpunkt uhrzeit datum datumzeit datumuhrzeit temps heure horodatage dateheure dateetheure lauf durchlauf messung"
    " essai passage programm anwendung befehlszeile programme commande abschnitt etape ereignis zahler evenement compteur wert valeur"
    " bemerkung kommentar commentaire remarque jahr annee gruppe groupe zyklen befehle".split()
)


class Meaning(NamedTuple):
    """What a name means. role: a role, or "row" (row numbers), "year", "summary" (of rows), "address", "" where it means none of these.

    sure: whether the name alone is enough. unit: of a time, where the name gives one.
    """

    role: str
    sure: bool = True
    unit: TimeUnit = ""


@lru_cache(maxsize=8_192)
def plain(name: str) -> str:
    """`name` in small letters without accents and signs: "Écart (µs)" is "ecartus"; letters of other alphabets stay."""
    return re.sub(r"[\W_]", "", _without_accents(name))


@lru_cache(maxsize=8_192)
def meaning_of(name: str) -> Meaning:
    """What the name of a column means; unit is "" where it gives none."""
    if not name.strip() or re.fullmatch(r"Unnamed: \d+", name):
        return Meaning("row")
    if name == "_field":  # of InfluxDB; a column "field" may be anything
        return Meaning("event name")
    if "%" in name:
        return Meaning("share" if plain(name) in ("running", "share") else "")  # "Time (%)" is no time
    if plain(name) in _IDENTIFIERS or _IDENTIFIER.fullmatch(name):
        return Meaning("identifier")
    if (address := names_addresses(name)) or _POINTER.fullmatch(name.strip()):
        return Meaning("address", address)
    if plain(name) in _SETTINGS or plain(name.rpartition(".")[2]).endswith("version"):
        return Meaning("setting")
    text = _without_accents(name).strip(" #@_°:")
    counted = _MEANING.get(plain(found[1]), "") if (found := _UNIT.fullmatch(text)) is not None and found[2] in UNITS else ""
    if found is not None and (counted.startswith("time") or counted == "interval"):
        return Meaning("time", counted != "interval", UNITS[found[2]])  # "interval (s)" may be how long each took
    if (inner := re.fullmatch(r"(.+?)[\s_]+in[\s_]+([a-z]+)", text)) is not None and inner[2] in UNITS:
        text = f"{inner[1]} ({inner[2]})"
        return meaning_of(text)
    if (joined := _JOINED.fullmatch(name.strip())) is not None and joined[2].lower() in UNITS:  # "TimeInSeconds", as C# and Java write it
        return meaning_of(f"{joined[1]} ({joined[2]})")
    key = plain(text) or ("n" if name.strip() in ("#", "№", "n°") else "")
    role = _MEANING.get(key, "")
    unit: TimeUnit = UNITS.get(key, "") if role.startswith("time") and key != "t" else ""
    if not role and any(_is_time(word) for word in re.split(r"[^a-z]+", text)):
        role = "time?"  # "sampling time", but also "cpu time": its values must show it
        unit = UNITS.get(found[2], "") if found is not None else ""
    if not role and _NUMBERS_SOMETHING.fullmatch(name):
        return Meaning("identifier")
    return Meaning(role.removesuffix("?"), not role.endswith("?"), unit)


def names_addresses(name: str) -> bool:
    """Whether the last word of a name is that of addresses: "Start Address", "phys_addr", "codeAddr"."""
    return _ADDRESS.fullmatch(plain(re.split(r"[\W_]|(?<=[a-z])(?=[A-Z])", re.sub(r"\s*[(\[].*|\W+$", "", name))[-1])) is not None


def _is_time(word: str) -> bool:
    return word in _TIME_WORDS or (_COMPOUND.fullmatch(word) is not None and _LASTING.fullmatch(word) is None)


def is_continental(names: Iterable[str]) -> bool:
    """Whether a name is German or French: one of their words, or with one of their letters."""
    return any(plain(name) in _CONTINENTAL or re.search("[äöüßéèêàçôîâ]", name, re.IGNORECASE) is not None for name in names)


def are_runs(names: Sequence[str]) -> bool:
    """Whether columns are named as runs are: "Run 1", "Run 2", or "1", "2"."""
    stems = {re.sub(r"[\s_.#]*\d+$", "", name) for name in names}
    if len(names) < 2 or len(stems) > 1 or not all(name[-1:].isdigit() for name in names):
        return False
    stem = stems.pop()
    return not stem or meaning_of(stem).role == "run"


def are_programs(names: Sequence[str]) -> bool:
    """Whether columns are named by words, as programs are, not by numbers as runs, nor as what they hold: "fft", "bzip2"."""
    words = {re.sub(r"\d+", "", name) for name in names}
    return len(words) > 1 and all(re.search(r"[^\W\d_]{2}", word) for word in words) and not any(meaning_of(name).role for name in names)


def are_parts(names: Sequence[str]) -> bool:
    """Whether names number parts of the machine: "node0", "node1"."""
    stems = {re.sub(r"[\s_.#-]*\d+$", "", name) for name in names}
    return len(names) > 1 and len(stems) == 1 and meaning_of(stems.pop()).role == "place"


def role_or_ignore(meaning: Meaning) -> Role:
    """The role of the same name."""
    return meaning.role if meaning.role in ("program", "stage", "load", "granularity", "subexperiment", "run") else "ignore"  # type: ignore[return-value]


def share_of(name: str) -> str:
    """The event of a column of shares, "cycles" of "cycles share"; "" where the name is none of a share."""
    found = _SHARE.fullmatch(name.strip())
    return (found["after"] or found["before"]).strip() if found is not None else ""


def may_be_negative(name: str) -> bool:
    """Whether the name is of something that may be below zero, such as a difference of temperatures."""
    return _NO_COUNT.search(_without_accents(name)) is not None


def is_called_cumulative(name: str) -> bool:
    """Whether a name says that a counter only grows: "http_requests_total", "Zählerstand"."""
    return _CUMULATIVE.search(_without_accents(name)) is not None


@lru_cache(maxsize=8_192)
def scale_of(cell: str) -> str:
    """ "k", "M" or "G" where a unit says that counts are multiples of that; "" for any other."""
    text = re.sub(r"^in\s+", "", cell.strip().strip("()[]").strip())
    power = re.fullmatch(SCALE, text)
    return {"3": "k", "6": "M", "9": "G"}[power[1]] if power else _SCALES.get(text) or _SCALES.get(text.lower().rstrip("."), "")


@lru_cache(maxsize=8_192)
def is_unit(cell: str) -> bool:
    """Whether a cell may stand in a row of units: "ms", "[1]", "%", "count", "-", or nothing."""
    text = _without_accents(cell).strip().strip("[]()").strip()
    return text == "" or text in UNITS or scale_of(cell) != "" or re.fullmatch(
        r"[-#%1]|% ?r\.? ?[fh]\.?|counts?|events?|anzahl|nombre|stk\.?|[kmg]?hz|[kmg]?i?b(/s|ytes?)?"
        r"|bytes?|[munkg]?[wvaj]h?|°?c|k|1/s|/s|mio\.?|n/?a|none|x?10\^?\d+|h?pa|m?bar|lu?x|ppm|rpm|u/min|l/min|m/s|db"
        r"|date|datum|cycles|zyklen|ticks", text
    ) is not None  # fmt: skip


def time_unit_of_cell(cell: str) -> TimeUnit:
    """The unit of time in a cell of the units row, "" where it is none."""
    return UNITS.get(cell.strip().strip("[]()").lower().replace("µ", "u"), "")


def _without_accents(text: str) -> str:
    return "".join(
        each for each in unicodedata.normalize("NFKD", text.lower().replace("ß", "ss").replace("µ", "u").replace("μ", "u"))
        if not unicodedata.combining(each)
    )  # fmt: skip
