import { chooseLanguage, directionOf, type Language, languageOf, loadLanguage } from '#web/texts/language.ts';
import { call } from './api.ts';
import { keep, readKept } from './device.ts';
import { saveSettings } from './own-settings.ts';

const NAME = 'language';

let language: Language = 'en';

/** The language of the page. */
export const pageLanguage = (): Language => language;

/**
 * Loads the language of the page before anything is shown: the one that this device remembers, else the browser's.
 * A page keeps its language for its whole life, so modules may hold texts in constants.
 */
export async function settleLanguage(): Promise<void> {
  const named = new URLSearchParams(location.search).get(NAME);
  const known = [named, readKept(NAME)].filter((tag) => tag !== null);
  const wanted = chooseLanguage([...known, ...navigator.languages]);
  language = await loadLanguage(wanted, navigator.languages);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

/** Loads the page again if the account has another language than the device remembers. */
export function followAccount(setting: string): void {
  const wanted = languageOf(setting) ?? chooseLanguage(navigator.languages);
  if (wanted === (readKept(NAME) ?? language)) return;
  // A browser that keeps nothing would load the page forever.
  if (keep(NAME, wanted) && wanted !== language) location.reload();
}

/** Loads a page without an account in another language. A browser without storage gets it by the address. */
export function changePageLanguage(wanted: Language): void {
  const address = new URL(location.href);
  if (keep(NAME, wanted)) address.searchParams.delete(NAME);
  else address.searchParams.set(NAME, wanted);
  history.replaceState(null, '', address);
  location.reload();
}

/** Saves the language of the account, and loads the page in it. @throws ApiError in the words of the service */
export async function changeLanguage(wanted: string): Promise<void> {
  await saveSettings({ default_language: wanted });
  followAccount(wanted);
}

/** Gives a new account the language in which it joined. Without an answer it has the organization's. */
export const keepForNewAccount = (): Promise<unknown> =>
  call('PATCH', '/settings', { default_language: language }).catch(() => undefined);
