import type { GetICUArgs } from '@schummar/icu-type-parser';
import format, { type CompiledMessage, type FormatOptions } from 'icu-minify/format';
import type { ComponentChildren } from 'preact';
import type { english } from './en.ts';

/** The name of a text: its area, and a short form of its words. */
export type TextKey = keyof typeof english;

/** A catalogue in another language. */
export type Catalogue = Readonly<Record<TextKey, string>>;

/** Texts without parameters. */
export type PlainKey = {
  [Key in TextKey]: (typeof english)[Key] extends `${string}${'{' | '<'}${string}` ? never : Key;
}[TextKey];

type Values<Key extends TextKey> = GetICUArgs<
  (typeof english)[Key],
  { ICUArgument: string | number; ICUNumberArgument: number }
>;

/** The names of the elements inside a text. */
type TagsOf<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | TagsOf<Rest>
  : never;

type Parts<Key extends TextKey> = Record<
  TagsOf<(typeof english)[Key]>,
  (children: ComponentChildren) => ComponentChildren
>;

/** The build's replacement of a key: its number in the catalogues, and the English message. */
type Reference = readonly [number: number, english: CompiledMessage];

let catalogue: readonly CompiledMessage[] | undefined;
let locale = 'en';

/** Sets the language for the life of the page. Without a catalogue, texts are English. */
export function setLanguage(tag: string, messages?: readonly CompiledMessage[]): void {
  locale = tag;
  catalogue = messages;
}

/** The language of texts, dates and numbers, as `Intl` takes it. */
export const currentLocale = (): string => locale;

const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

function made<Formatter>(known: Map<string, Formatter>, name: string, make: () => Formatter): Formatter {
  const formatter = known.get(name) ?? make();
  known.set(name, formatter);
  return formatter;
}

const formatters: FormatOptions['formatters'] = {
  getNumberFormat: (tag, options) =>
    made(numbers, `${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options)),
  getPluralRules: (tag, options) =>
    made(plurals, `${tag} ${options?.type}`, () => new Intl.PluralRules(tag, options)),
  getDateTimeFormat: (tag, options) => new Intl.DateTimeFormat(tag, options),
};

function messageOf(key: TextKey): CompiledMessage {
  // In the source a key is its name; where this runs, the build has replaced it by its reference.
  const [number, english] = key as unknown as Reference;
  return catalogue?.[number] ?? english;
}

/** The text in the language of the page. The build replaces each key by its message, so a key is always a literal. */
export function t(key: PlainKey): string;
export function t<Key extends TextKey>(key: Key, values: Values<Key>): string;
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  return String(format(messageOf(key), locale, values, { formatters }));
}

/** A text with elements inside, each made by a function of its name. */
export function rich<Key extends TextKey>(key: Key, values: Values<Key> & Parts<Key>): ComponentChildren {
  const parameters = values as Parameters<typeof format<ComponentChildren>>[2];
  return format<ComponentChildren>(messageOf(key), locale, parameters, { formatters });
}

/** A list in a sentence, as `Ada, Bo, and Cy`. */
export const listOf = (items: readonly string[]): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(items);
