import type { ExternalSite, ProfileField } from './wire-organization.ts';

/** The kinds of profile fields, as the protocol numbers them. */
export const FIELD_KINDS = {
  shortText: 1,
  longText: 2,
  options: 3,
  date: 4,
  link: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

export interface Option {
  /** The value stored for the option. */
  key: string;
  text: string;
}

/** The options of a field, in their order. */
export function optionsOf({ type, field_data: data }: ProfileField): Option[] {
  if (type !== FIELD_KINDS.options) return [];
  const all: Record<string, { text: string; order: string }> = JSON.parse(data);
  return Object.entries(all)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }));
}

/** The options as the protocol takes them. */
export const dataOfOptions = (options: Option[]): Record<string, { text: string; order: string }> =>
  Object.fromEntries(options.map(({ key, text }, index) => [key, { text, order: String(index + 1) }]));

/** A key that none of the options has. */
export const freshKey = (options: Option[]): string =>
  String(1 + Math.max(-1, ...options.map(({ key }) => Number(key)).filter(Number.isInteger)));

export interface Account {
  subtype: string;
  /** Empty if the service knows it. */
  pattern: string;
}

export const CUSTOM_ACCOUNT = 'custom';

/** At which site a field names an account. */
export function accountOf({ type, field_data: data }: ProfileField): Account {
  if (type !== FIELD_KINDS.account) return { subtype: CUSTOM_ACCOUNT, pattern: '' };
  const { subtype, url_pattern: pattern = '' }: { subtype: string; url_pattern?: string } = JSON.parse(data);
  return { subtype, pattern };
}

/** The address of an account; undefined if the site is unknown. */
export function accountAddress(
  field: ProfileField,
  sites: Record<string, ExternalSite>,
  name: string,
): string | undefined {
  const { subtype, pattern } = accountOf(field);
  const found = pattern || sites[subtype]?.url_pattern;
  return found?.replace('%(username)s', encodeURIComponent(name));
}

/** The people that a value names. */
export function peopleOf(value: string): number[] {
  const ids: unknown = value === '' ? [] : JSON.parse(value);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}
