// Words of German by what they do in a question. Umlauts are written; all forms of an adjective or a determiner are meant.
import type { WordClass } from '../language/language.ts';

export const EMPTY =
  'der die das des dem den ein eine einen einem einer eines ist sind war waren sein gab gibt es da dort wurde wurden worden denn auch';
export const POLITE =
  'bitte kannst können könntest könnten du sie ich wir möchte möchten will wollen wissen sehen mir uns sag sage hallo ok mal';
export const PAUSES = ", ? ! . : ; 's";
export const YES_OR_NO = 'ist sind war waren hat haben hatte hatten gibt gab wird werden wurde wurden kann können';
export const PERFECT = 'haben hat hatte hatten';

const cls = (cat: string, value: string, said: string, features?: readonly string[]): WordClass => ({
  cat,
  value,
  said,
  features,
});
export const CLASSES: readonly WordClass[] = [
  cls('agg', 'avg', 'durchschnittlich|mittlere|Durchschnitt|Mittelwert|im Durchschnitt|im Schnitt'),
  cls('agg', 'sum', 'Summe|gesamt|insgesamt|Gesamtsumme'),
  cls('agg', 'min', 'niedrigste|kleinste|geringste|Minimum|minimale', ['end']),
  cls('agg', 'max', 'höchste|größte|Maximum|maximale', ['end']),
  cls('agg', 'median', 'Median|mediane'),
  cls('op', '>', 'mehr als|über|größer als|höher als|oberhalb von|>'),
  cls('op', '<', 'weniger als|unter|kleiner als|niedriger als|unterhalb von|<'),
  cls('op', '>=', 'mindestens|wenigstens|nicht weniger als'),
  cls('op', '<=', 'höchstens|maximal|bis zu|nicht mehr als'),
  cls('op', '=', 'genau|gleich'),
  cls('superl', 'desc', 'höchste|größte|Top|längste'),
  cls('superl', 'desc', 'meiste', ['many']),
  cls('superl', 'asc', 'niedrigste|kleinste|geringste|Flop|kürzeste'),
  cls('superl', 'asc', 'wenigste', ['many']),
  cls('common', 'desc', 'häufigste|am häufigsten'),
  cls('common', 'asc', 'seltenste|am seltensten'),
  cls('busy', 'desc', 'geschäftigste|betriebsamste'),
  cls('busy', 'asc', 'ruhigste'),
  cls('recent', 'desc', 'neueste|jüngste|letzte'),
  cls('recent', 'asc', 'erste|früheste|älteste'),
  cls('dir', 'desc', 'absteigend|in absteigender Reihenfolge'),
  cls('dir', 'asc', 'aufsteigend|in aufsteigender Reihenfolge|alphabetisch'),
  ...'in im aus von vom für auf am an bei mit zu zum zur ins innerhalb während durch'
    .split(' ')
    .map((one) => cls('prep', one, one, one === 'durch' ? [] : ['at'])),
  cls('grain', 'day', 'Tag|Datum|Kalendertag'),
  cls('grain', 'week', 'Woche|Kalenderwoche'),
  cls('grain', 'month', 'Monat|Kalendermonat'),
  cls('grain', 'quarter', 'Quartal'),
  cls('grain', 'year', 'Jahr|Kalenderjahr'),
  cls('grain', 'weekday', 'Wochentag', ['part']),
  cls('grain', 'hour', 'Stunde|Tagesstunde', ['part']),
  cls('grainly', 'day', 'täglich'),
  cls('grainly', 'week', 'wöchentlich'),
  cls('grainly', 'month', 'monatlich'),
  cls('grainly', 'quarter', 'vierteljährlich|quartalsweise'),
  cls('grainly', 'year', 'jährlich'),
];
export const RANKED_BY: readonly { said: string; direction: 'asc' | 'desc'; names: string }[] = [
  { said: 'teuerste', direction: 'desc', names: 'Preis|Stückpreis|Listenpreis' },
  { said: 'billigste|günstigste', direction: 'asc', names: 'Preis|Stückpreis|Listenpreis' },
  { said: 'umsatzstärkste|meistverkaufte|bestverkaufte', direction: 'desc', names: 'Umsatz|Erlös' },
  { said: 'umsatzschwächste', direction: 'asc', names: 'Umsatz|Erlös' },
  { said: 'gewinnstärkste|profitabelste', direction: 'desc', names: 'Gewinn|Ertrag' },
  { said: 'schwerste', direction: 'desc', names: 'Gewicht' },
  { said: 'leichteste', direction: 'asc', names: 'Gewicht' },
];
export const GAIN = 'Umsatz|Erlös|Gewinn|Ertrag';

export const RELATING =
  'haben|hat|hatten|hatte|gehören|gehört|enthalten|enthält|kommen|kommt|kamen|kam|stammen|stammt|liegen|liegt|wohnen|wohnt|leben|lebt|erhalten|erhielten|bekommen|zugeordnet|verknüpft';
export const DOING: readonly { said: string; needs: string }[] = [
  {
    said: 'kaufen|kauft|kaufte|kauften|gekauft|erworben|bestellen|bestellt|bestellte|bestellten',
    needs: 'bestellung auftrag kauf verkauf bestellposition order invoice sale purchase transaction',
  },
  { said: 'aufgeben|aufgegeben|getätigt', needs: 'bestellung auftrag buchung order booking' },
  { said: 'verkaufen|verkauft|verkauften', needs: 'bestellung auftrag verkauf order invoice sale transaction' },
  { said: 'versenden|versendet|verschickt|geliefert', needs: 'sendung lieferung paket shipment delivery parcel' },
  { said: 'buchen|gebucht|buchten', needs: 'buchung reservierung booking reservation' },
  { said: 'mieten|gemietet|mieteten', needs: 'vermietung miete rental' },
  { said: 'schreiben|geschrieben|verfasst|veröffentlicht', needs: 'artikel buch autor paper publication book author' },
];
export const ACTIVE = 'erhalten|erhielten|bekommen|aufgeben';
export const COMING =
  'aufgegeben|getätigt|gemacht|gekauft|bestellt|verkauft|gebucht|veröffentlicht|geschrieben|erstellt|angelegt|erfolgt|stattgefunden|eröffnet|abgeschlossen';
export const NUMBERED = ['nummer', 'nr', 'kennung', 'schlussel', 'code', 'id'] as const;
export const COUNTING = 'anzahl zahl';
export const COUNTED_AS = 'Anzahl|Zahl|Gesamtzahl|wie viele';
export const LIGHT = 'betrag wert code nummer stufe quote status';
export const NAMED_BY = 'name titel bezeichnung';
export const UNENDED = 'offen|noch offen|unerledigt|ausstehend';
export const ENDING = 'abgeschlossen erledigt beendet geschlossen';
export const OVERDUE = 'überfällig';
export const DUE = 'fällig frist';
export const DONE_BY = 'bezahlt zurückgegeben geliefert abgeschlossen beglichen';
export const BUYING = 'kauft kaufte kauften gekauft bestellt bestellte bestellten';
export const BUYERS = 'kund käuf customer';

/** What a compound begins and ends with that is a word of its own. */
export const HEADS = ['gesamt', 'durchschnitts'] as const;
export const TAILS = ['wachstum', 'anteil', 'anzahl', 'entwicklung'] as const;

export const UNDONE = 'un';
export const ADJECTIVAL = 'isch ische ischen ischer';
export const SAME_EVENT = 'verkauft|verkaufen|gekauft|kauft|kaufen|kauften|kaufte|bestellt|bestellen|bestellten';
export const AMOUNTS = 'zahlung erstattung ausgabe kosten spende gebühr einzahlung auszahlung';
