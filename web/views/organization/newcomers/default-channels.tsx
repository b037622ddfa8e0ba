import { setDefaultChannel } from '#web/net/organization/settings.ts';
import { channels, useServer } from '#web/net/store.ts';
import { Toggle } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';

/** The channels that new people read from the start. A private channel cannot be one of them. */
export function DefaultChannels() {
  const chosen = useServer(({ realm_default_streams }) => realm_default_streams);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const listed = [...channels.value.values()]
    .filter(({ is_archived: isArchived, invite_only: isPrivate }) => !isArchived && !isPrivate)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Group title={t('organization.defaultChannels')} note={t('organization.newPeopleAreSubscribedTo')}>
      {listed.length === 0 && <p class="quiet">{t('organization.thereAreNoPublicChannels')}</p>}
      {listed.map(({ stream_id: id, name }) => (
        <Toggle
          key={id}
          label={`#${name}`}
          value={chosen.includes(id)}
          isFixed={!isAdmin}
          save={(isDefault) => setDefaultChannel(id, isDefault)}
        />
      ))}
    </Group>
  );
}
