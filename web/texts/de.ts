import type { Catalogue } from './texts.ts';

/** The texts of the web client in German. Those that are missing are shown in English. */
export const messages: Partial<Catalogue> = {
  'account.signIn': 'Anmelden',
  'account.eMailAddress': 'E-Mail-Adresse',
  'account.password': 'Passwort',
  'account.forgotYourPassword': 'Passwort vergessen?',
  'common.inbox': 'Eingang',
  'common.settings': 'Einstellungen',
  'common.personCount': '{count, plural, one {# Person} other {# Personen}}',
  'settings.language': 'Sprache',
  'settings.preferences': 'Vorlieben',
  'shell.navigation': 'Navigation',
};
