import { call } from '#web/net/api.ts';
import { createChannel } from '#web/net/channel-actions.ts';
import { go, openNarrow } from '#web/net/router.ts';
import { server, tell, useServer } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { topicNarrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { openComposerSoon } from '#web/views/compose/open-composer.ts';

const LONGEST_NAME = 40;

/** Makes a new organization a place to talk: its name, a first channel for everyone, and a topic to say hello in. */
export const openSetUp = (): void => openDialog(t('lists.setUpYourTeam'), () => <SetUp />);

function SetUp() {
  const name = useServer(({ realm_name }) => realm_name);
  const submit = async (fields: FormData): Promise<void> => {
    const team = String(fields.get('team')).trim();
    const ownName = String(fields.get('own')).trim();
    if (team !== name) await call('PATCH', '/realm', { name: team });
    if (ownName !== server.value.full_name) await call('PATCH', '/settings', { full_name: ownName });
    const channelId = await createChannel({
      name: 'general',
      description: t('lists.forEveryoneStartATopic'),
      privacy: 'public',
      folderId: undefined,
      userIds: [],
    });
    await call('POST', '/default_streams', { stream_id: channelId });
    closeDialog();
    openNarrow(topicNarrow(channelId, t('lists.helloTeam', { team })));
    openComposerSoon();
    tell(t('lists.generalIsReadyEveryoneWho'), {
      label: t('common.invitePeople'),
      run: () => go('#invite'),
    });
  };
  return (
    <Form label={t('lists.createGeneral')} submit={submit} cancel={closeDialog}>
      <TextLine
        label={t('lists.whatsYourTeamCalled')}
        name="team"
        longest={LONGEST_NAME}
        value={name}
        isRequired
      />
      <TextLine
        label={t('lists.yourName')}
        name="own"
        longest={100}
        value={server.value.full_name}
        isRequired
      />
      <p class="quiet">{t('lists.youllSayHelloInGeneral')}</p>
    </Form>
  );
}
