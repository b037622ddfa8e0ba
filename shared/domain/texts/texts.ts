import type { GetICUArgs } from '@schummar/icu-type-parser';
import compile from 'icu-minify/compile';
import format, { type CompiledMessage, type FormatOptions } from 'icu-minify/format';
import { english } from './en.ts';

/** The name of a text: its area, and a short form of its words. */
export type TextKey = keyof typeof english;

/** A catalogue in another language. */
export type ServiceCatalogue = Readonly<Record<TextKey, string>>;

type Values<Key extends TextKey> = GetICUArgs<
  (typeof english)[Key],
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: Date }
>;

/** Returns a text of mails, bots or pages in one language. */
export type Say = <Key extends TextKey>(
  key: Key,
  ...values: keyof Values<Key> extends never ? [] : [Values<Key>]
) => string;

/** Reads the texts from a catalogue; missing ones are English. */
export function sayFrom(language: string, messages: Partial<ServiceCatalogue>): Say {
  const compiled = new Map<TextKey, CompiledMessage>();
  const formatters: FormatOptions['formatters'] = {
    getNumberFormat: (tag, options) => new Intl.NumberFormat(tag, options),
    getDateTimeFormat: (tag, options) => new Intl.DateTimeFormat(tag, options),
    getPluralRules: (tag, options) => new Intl.PluralRules(tag, options),
  };
  const formats = { date: { long: { dateStyle: 'long' } }, time: { short: { timeStyle: 'short' } } } as const;
  return (key, ...[values]) => {
    const message = compiled.get(key) ?? compile(messages[key] ?? english[key]);
    compiled.set(key, message);
    const args = (values ?? {}) as Record<string, string>;
    return String(format(message, language, args, { formatters, formats, timeZone: 'UTC' }));
  };
}

/** The texts in English. */
export const inEnglish: Say = sayFrom('en', {});
