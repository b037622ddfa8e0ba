import { spectator } from '#shared/domain/users/user.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { readHead } from '#shared/log/head.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadSections } from './snapshot-sections.ts';

/** The types that anonymous callers may request; all others belong to an account. */
const typesForSpectators = [
  'custom_profile_fields',
  'default_streams',
  'giphy',
  'klipy',
  'presence',
  'realm',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user',
  'realm_user_groups',
  'stop_words',
  'stream',
  'subscription',
  'tenor',
  'user_settings',
  'user_status',
];
const aboutOneself = [
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
  'delivery_email',
  'email',
  'full_name',
  'user_id',
];

/** The data of register for anonymous callers: the public data of the organization. */
export async function describeToSpectator(
  services: Services,
  request: { filter: QueueFilter; fetchTypes: string[] | null },
): Promise<Record<string, unknown>> {
  const { filter, fetchTypes } = request;
  const allowed = typesForSpectators.filter((type) => fetchTypes?.includes(type) ?? true);
  const head = await readHead(services);
  const shown = {
    caller: { ...spectator },
    filter,
    fetchTypes: allowed,
    includeSubscribers: 'false' as const,
    presenceHistoryDays: 0,
  };
  const { fields } = await loadSections(services, shown, head);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !aboutOneself.includes(name)));
}
