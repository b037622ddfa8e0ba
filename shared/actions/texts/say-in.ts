import { inEnglish, type Say, type ServiceCatalogue, sayFrom } from '#shared/domain/texts/texts.ts';

/** Catalogues of other languages, which are loaded when they are first needed. */
const CATALOGUES: Readonly<Record<string, () => Promise<{ messages: Partial<ServiceCatalogue> }>>> = {
  de: () => import('#shared/domain/texts/de.ts'),
  ja: () => import('#shared/domain/texts/ja.ts'),
  ar: () => import('#shared/domain/texts/ar.ts'),
};

const known = new Map<string, Say>();

/** The language of a tag such as `de-AT` or `pt_BR`. */
const languageOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

/** The languages that have texts; English, which needs no catalogue, comes first. */
export const languages: string[] = ['en', ...Object.keys(CATALOGUES)];

/** The texts in the language of a setting, such as `de`; English if it has no catalogue. */
export async function sayIn(setting: string): Promise<Say> {
  const language = languageOf(setting);
  const load = Object.hasOwn(CATALOGUES, language) ? CATALOGUES[language] : undefined;
  if (!load) return inEnglish;
  const say = known.get(language) ?? sayFrom(language, (await load()).messages);
  known.set(language, say);
  return say;
}
