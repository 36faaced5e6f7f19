"""Which role a column may have: a guess from its name, type and values, with the reason. The publisher decides."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from covey.columns.codes import words_of
from covey.columns.profile import NESTED, NUMBERS, TIMES, Column

if TYPE_CHECKING:
    from collections.abc import Sequence


_NAMES = """
name surname firstname lastname names forename maiden id uid email mail phone telephone mobile ssn passport iban account address street
login username url ip
nachname vorname zuname familienname geburtsname rufname benutzername strasse hausnummer anschrift adresse telefon telefonnummer handy
ausweis ausweisnummer reisepass konto kontonummer steuerid steuernummer
nom noms prenom prenoms patronyme rue telephone courriel mel passeport
apellido apellidos direccion calle domicilio telefono movil correo cedula curp pasaporte matricula expediente
"""
_IDS = """
id uid ssn passport iban account ahv ahvnr svnr kennung patientennummer kundennummer versichertennummer personalnummer matrikelnummer
sozialversicherungsnummer fallnummer matricule identifiant nss nir dni nie nif
"""
IDS = frozenset(_IDS.split())
NAMES = IDS | frozenset(_NAMES.split())
NAMES_IF_TEXT = frozenset(["nombre", "nombres", "compte", "cuenta"])
"""Names or numbers, by what the column holds: nombre is a name in Spanish, and a number in French."""
_PRIVATE = """
diagnosis disease illness condition health hiv disability treatment drug religion faith party vote orientation crime conviction union grade score
diagnose krankheit erkrankung gesundheit behinderung behandlung medikament konfession glaube partei gewerkschaft straftat vorstrafe
diagnostic maladie sante handicap traitement medicament parti syndicat condamnation infraction
diagnostico enfermedad salud discapacidad tratamiento medicamento partido voto sindicato delito condena
"""
PRIVATE = frozenset(_PRIVATE.split())
_KNOWN = """
age birth birthday born dob year sex gender zip zipcode postcode region city town county state country district municipality nationality marital
education job occupation profession industry sector race ethnicity height household children income salary wage revenue turnover employees
charge price admitted discharged
alter geburt geburtsjahr geburtsdatum geburtstag jahr jahrgang geschlecht plz postleitzahl stadt ort wohnort gemeinde kreis landkreis bezirk kanton
bundesland land staat nationalitat nationalitaet staatsangehorigkeit staatsangehoerigkeit zivilstand familienstand bildung abschluss beruf branche
wirtschaftszweig grosse groesse haushalt haushaltsgrosse haushaltsgroesse kinder einkommen gehalt lohn umsatz beschaftigte beschaeftigte
mitarbeiter aufnahme entlassung eintritt austritt
naissance annee sexe genre postal commune ville departement pays canton nationalite matrimoniale civil diplome emploi metier secteur taille
menage enfants revenu revenus salaire effectif effectifs admission sortie entree
edad nacimiento ano sexo genero municipio ciudad provincia comunidad pais nacionalidad educacion estudios empleo ocupacion profesion hogar
hijos ingreso ingresos renta salario facturacion empleados alta
"""
KNOWN = frozenset(_KNOWN.split())
_WEIGHTS = "wgt pweight fweight sweight hochrechnungsfaktor gewichtung ponderation ponderacion"
WEIGHTS = frozenset(_WEIGHTS.split())


class Suggestion(NamedTuple):
    """A role and why."""

    role: str
    reason: str


def suggest(columns: Sequence[Column]) -> dict[str, Suggestion]:
    """A suggestion for every column. Where nothing speaks for less, it is the cautious one: a quasi-identifier.

    >>> from covey.columns.profile import Column
    >>> suggest([Column("age", "whole numbers", 100, 60, 0, ())])["age"].role
    'quasi'
    """
    suggestions = {column.name: _by_shape(column) or _by_name(column) or _by_values(column) for column in columns}
    ids = [column for column in columns if folded(column.name) & IDS]
    repeated = [column.name for column in ids if 2 <= column.distinct < column.known]
    if repeated:
        suggestions[repeated[0]] = Suggestion(
            "unit", "its name is that of an identifier and it repeats: k then counts persons, not rows"
        )
    return suggestions


def _by_shape(column: Column) -> Suggestion | None:
    if column.type == NESTED:
        return Suggestion("drop", "lists and structures cannot be released")
    if column.known == 0:
        return Suggestion("drop", "it holds no value at all")
    return None


def folded(name: str) -> set[str]:
    """The words of a column's name without accents, so that each is listed once.

    >>> sorted(folded("Größe")), sorted(folded("Prénom_2"))
    (['grosse'], ['prenom'])
    """
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    return set(words_of("".join(sign for sign in plain if not unicodedata.combining(sign))))


def _is_identifier(words: set[str], column: Column) -> bool:
    """Whether a column is called as what names or numbers a person: a surname that many share, too."""
    return bool(words & NAMES) or (bool(words & NAMES_IF_TEXT) and column.type not in NUMBERS)


def _by_name(column: Column) -> Suggestion | None:
    words = folded(column.name)
    if _is_identifier(words, column):
        return Suggestion("drop", "its name is that of an identifier")
    if column.type in NUMBERS and (words & WEIGHTS or ("weight" in words and words & {"sampling", "survey"})):
        return Suggestion("weight", "its name is that of a sampling weight")
    if words & PRIVATE:
        return Suggestion("sensitive", "its name sounds like what others would like to learn")
    if column.distinct == 1 and not column.missing:  # where some are missing, it tells who has it
        return Suggestion("keep", "it is the same for everyone, so it tells nobody apart")
    if words & KNOWN:
        return Suggestion("quasi", "its name sounds like what others may know")
    return None


def _by_values(column: Column) -> Suggestion:
    share = column.distinct / column.known
    if share > 0.9 and column.type not in (*NUMBERS, *TIMES):
        return Suggestion("drop", f"{share:.0%} of its values are different: they name the record")
    if column.type == "whole numbers" and share == 1.0 and column.known > 100:
        return Suggestion("drop", "every number occurs once, like a running number or an identifier")
    if column.type in TIMES:
        return Suggestion("quasi", "others may know when something happened")
    if column.type in NUMBERS and column.distinct > 20:
        return Suggestion("quasi", f"{column.distinct:,} different amounts single records out")
    return Suggestion("quasi", "others may know it; keep it as it is only where nobody outside can")
