import { explain } from '#web/net/api.ts';
import { tryWelcome } from '#web/net/organization/settings.ts';
import { showNotice, useServer } from '#web/net/store.ts';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';
import { Text } from './setting-controls.tsx';

/** The organization's addition to the message of the welcome bot. */
export function WelcomeMessage() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const text = useServer((server) => server.realm_welcome_message_custom_text);
  const send = (): void =>
    void tryWelcome(text).then(
      () => showNotice(t('organization.itIsInYourDirect')),
      (reason) => showNotice(t('organization.notSentReason', { reason: explain(reason) })),
    );
  return (
    <Group
      title={t('organization.welcome')}
      note={t(isAdmin ? 'organization.newPeopleFindIt' : 'organization.newPeopleFindItFixed')}
    >
      <Text
        name="realm_welcome_message_custom_text"
        label={t('organization.messageOfTheOrganization')}
        hint={t('organization.itMayBeWrittenIn')}
        isLong
      />
      {isAdmin && text !== '' && (
        <button type="button" class="button start" onClick={send}>
          {t('organization.sendItToMe')}
        </button>
      )}
    </Group>
  );
}
