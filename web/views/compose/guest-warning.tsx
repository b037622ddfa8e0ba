import { people, useServer } from '#web/net/store.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { listOf, t } from '#web/texts/texts.ts';

/** Warns that a guest reads a direct message, if the organization wants that. */
export function GuestWarning({ conversation }: { conversation: Conversation }) {
  const isWanted = useServer(({ realm_enable_guest_user_dm_warning: warns }) => warns);
  if (!isWanted || conversation.type !== 'private') return null;
  const guests = conversation.userIds
    .flatMap((id) => people.value.get(id) ?? [])
    .filter((person) => person.is_guest);
  if (guests.length === 0) return null;
  const all = listOf(guests.map(({ full_name }) => full_name));
  return (
    <p class="compose-note">{t('compose.guestsOfTheOrganization', { count: guests.length, names: all })}</p>
  );
}
