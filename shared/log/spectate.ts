import { spectator } from '#shared/domain/users/user.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readHead } from './head.ts';
import { loadSections } from './snapshot-sections.ts';

/** What somebody without an account may ask for; everything else is about one's own account. */
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

/** The data of register for somebody without an account: what the organization shows to everybody. */
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
