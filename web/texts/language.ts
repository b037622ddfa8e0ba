import { setLanguage } from './texts.ts';

/** The languages that have a catalogue, in their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', ja: '日本語', ar: 'العربية' } as const;

export type Language = keyof typeof LANGUAGES;

/** The catalogue for a tag such as `de-AT` or `pt_BR`. */
export function languageOf(tag: string): Language | undefined {
  const [name = ''] = tag.toLowerCase().split(/[-_]/);
  return Object.hasOwn(LANGUAGES, name) ? (name as Language) : undefined;
}

/** The first of the wanted languages that has a catalogue, else English. */
export const chooseLanguage = (wanted: readonly string[]): Language =>
  wanted.flatMap((tag) => languageOf(tag) ?? [])[0] ?? 'en';

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** The language as the browser's country writes dates, if the browser names one. */
export function localeOf(language: Language, ofBrowser: readonly string[]): string {
  const regional = ofBrowser.filter((tag) => tag.toLowerCase().startsWith(`${language}-`));
  return regional.flatMap(supported)[0] ?? language;
}

/** Browsers of some systems name languages that are no language tags, such as `en-US@posix`. */
function supported(tag: string): string[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag);
  } catch {
    return [];
  }
}

const CATALOGUES = {
  de: () => import('./de.ts'),
  ja: () => import('./ja.ts'),
  ar: () => import('./ar.ts'),
};

/** Loads the texts of a language. Without a connection the page is English. */
export async function loadLanguage(language: Language, ofBrowser: readonly string[]): Promise<Language> {
  if (language !== 'en') {
    try {
      const { messages } = await CATALOGUES[language]();
      // The build compiles a catalogue to the messages in the order of the English one.
      setLanguage(localeOf(language, ofBrowser), messages as never);
      return language;
    } catch (failure) {
      console.warn('The texts of the language were not loaded', failure);
    }
  }
  setLanguage(localeOf('en', ofBrowser));
  return 'en';
}
