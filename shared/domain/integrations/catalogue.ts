import entries from './catalogue.json' with { type: 'json' };

/** What clients and forms know of an integration without loading its declaration. */
export interface CatalogueEntry {
  slug: string;
  displayName: string;
  categories: string[];
  /** null if the integration has no events. */
  events: string[] | null;
  options: { name: string; kind: 'text' | 'boolean'; label: string }[];
  /** The configuration that a bot may store for the integration, with labels. */
  configuration: { name: string; label: string }[];
  setup: string;
}

/** `npm run docs` writes the catalogue from the declarations. */
export const catalogue = entries as CatalogueEntry[];
