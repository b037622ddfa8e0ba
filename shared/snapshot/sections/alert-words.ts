import { getAlertWords } from '#shared/store/users/alert-words.ts';
import type { Section } from './section.ts';

/** The caller's alert words. */
export const alertWordSection: Section = async ({ services, request, wants }) => {
  if (!wants('alert_words')) return {};
  const { words } = await getAlertWords(services.table, request.caller.userId);
  return { alert_words: words.map(({ word }) => word) };
};
