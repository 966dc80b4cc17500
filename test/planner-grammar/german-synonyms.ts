// What an analyst adds to the sample of a shop so that it can be asked in German: synonyms, and nothing else.
import type { Lens } from '../../src/lens/lens.ts';

export const GERMAN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  order_id: ['Bestellung', 'Bestellnummer'],
  order_date: ['Bestelldatum'],
  ship_date: ['Versanddatum'],
  ship_mode: ['Versandart'],
  customer_id: ['Kunde', 'Kundennummer'],
  segment: ['Segment', 'Kundensegment'],
  city: ['Stadt'],
  state: ['Bundesstaat'],
  region: ['Region'],
  product_name: ['Produkt'],
  category: ['Kategorie', 'Produktkategorie'],
  sub_category: ['Unterkategorie'],
  quantity: ['Menge', 'Stückzahl'],
  discount: ['Rabatt'],
  days_to_ship: ['Lieferzeit'],
};
export const GERMAN_METRICS: Readonly<Record<string, readonly string[]>> = {
  revenue: ['Umsatz', 'Erlös'],
  profit: ['Gewinn', 'Ertrag'],
  units: ['verkaufte Stückzahl'],
  order_count: ['Bestellungen'],
  line_count: ['Bestellpositionen'],
  customers: ['Kunden'],
  products: ['Produkte'],
  average_order_value: ['durchschnittlicher Bestellwert', 'Bestellwert'],
};
export const GERMAN_DATASET = ['Bestellposition'];
/** value: synonyms, of fields whose values the lens lists. */
export const GERMAN_VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  segment: { Consumer: ['Privatkunden'], Corporate: ['Firmenkunden'], 'Home Office': ['Heimbüro'] },
  region: { West: ['Westen'], East: ['Osten'], South: ['Süden'], Central: ['Mitte'] },
  category: { Furniture: ['Möbel'], 'Office Supplies': ['Büromaterial'], Technology: ['Technik'] },
  state: { California: ['Kalifornien'], Texas: [], Ohio: [], Florida: [], 'New York': [] },
  sub_category: { Chairs: ['Stühle'], Tables: ['Tische'], Phones: ['Telefone'], Paper: ['Papier'] },
};

/** The lens with them; what it doesn't have is left out. */
export const withGerman = (of: Lens): Lens => {
  const orders = of.datasets.find(({ name }) => name === 'orders')!;
  const fields = orders.fields.map((one) => ({
    ...one,
    synonyms: [...one.synonyms, ...(GERMAN_FIELDS[one.name] ?? [])],
    dictionary: GERMAN_VALUES[one.name]
      ? {
          complete: true,
          values: Object.entries(GERMAN_VALUES[one.name]!).map(([value, synonyms]) => ({
            value,
            synonyms: [...synonyms],
          })),
        }
      : one.dictionary,
  }));
  return {
    ...of,
    datasets: [{ ...orders, fields, synonyms: [...orders.synonyms, ...GERMAN_DATASET] }],
    metrics: of.metrics.map((one) => ({ ...one, synonyms: [...one.synonyms, ...(GERMAN_METRICS[one.name] ?? [])] })),
  };
};

const SHOP: Readonly<Record<string, readonly string[]>> = {
  customers: ['Kunde'],
  orders: ['Bestellung'],
  order_items: ['Bestellposition'],
  products: ['Produkt'],
  name: ['Name'],
  city: ['Stadt'],
  status: ['Status'],
  revenue: ['Umsatz'],
};
/** A shop of several datasets, of each name by itself. */
export const withGermanNames = (of: Lens): Lens => {
  const more = <T extends { name: string; synonyms: string[] }>(one: T): T => ({
    ...one,
    synonyms: [...one.synonyms, ...(SHOP[one.name] ?? [])],
  });
  return {
    ...of,
    datasets: of.datasets.map((one) => ({ ...more(one), fields: one.fields.map(more) })),
    metrics: of.metrics.map(more),
  };
};
