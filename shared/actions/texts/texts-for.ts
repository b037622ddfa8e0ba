import { defaultUserSettings } from '#shared/domain/settings/user-settings.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getChosenSettings } from '#shared/store/users/user-settings.ts';
import { sayIn } from './say-in.ts';

/** The texts in the language that a user has chosen. One read. */
export async function textsFor({ table }: Pick<Services, 'table'>, userId: number): Promise<Say> {
  const { values } = await getChosenSettings(table, userId);
  return sayIn(values.default_language ?? defaultUserSettings.default_language);
}
