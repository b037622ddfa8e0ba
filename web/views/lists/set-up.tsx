import { call } from '#web/net/api.ts';
import { createChannel } from '#web/net/channel-actions.ts';
import { sendPicture } from '#web/net/own-settings.ts';
import { go, openNarrow } from '#web/net/router.ts';
import { server, showNotice, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { PictureSetting } from '#web/parts/picture-setting.tsx';
import { topicNarrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { openComposerSoon } from '#web/views/compose/open-composer.ts';

const LONGEST_NAME = 40;

async function createFirstChannel(): Promise<number> {
  const channelId = await createChannel({
    name: 'general',
    description: t('lists.forEveryoneStartATopic'),
    privacy: 'public',
    folderId: undefined,
    userIds: [],
  });
  await call('POST', '/default_streams', { stream_id: channelId });
  return channelId;
}

/** Makes a new organization a place to talk: its name, a first channel for everyone, and a topic to say hello in. */
export const openSetUp = (): void => openDialog(t('lists.setUpYourTeam'), () => <SetUp />);

function SetUp() {
  const name = useServer(({ realm_name }) => realm_name);
  const icon = useServer(({ realm_icon_url }) => realm_icon_url);
  const first = useServer(({ realm_default_streams }) => realm_default_streams[0]);
  const submit = async (fields: FormData): Promise<void> => {
    const team = String(fields.get('team')).trim();
    const ownName = String(fields.get('own')).trim();
    if (team !== name) await call('PATCH', '/realm', { name: team });
    if (ownName !== server.value.full_name) await call('PATCH', '/settings', { full_name: ownName });
    const channelId = first ?? (await createFirstChannel());
    closeDialog();
    openNarrow(topicNarrow(channelId, t('lists.helloTeam', { team })));
    openComposerSoon();
    showNotice(first === undefined ? t('lists.generalIsReadyEveryoneWho') : t('lists.yourTeamIsSetUp'), {
      label: t('common.invitePeople'),
      run: () => go('#invite'),
    });
  };
  return (
    <Form
      label={first === undefined ? t('lists.createGeneral') : t('lists.done')}
      submit={submit}
      cancel={closeDialog}
    >
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
      <PictureSetting
        label={t('lists.teamPicture')}
        hint={t('lists.aSquareLogo')}
        save={(file) => sendPicture('/realm/icon', file)}
      >
        {icon.startsWith('/') ? (
          <img class="avatar" src={icon} alt="" width={64} height={64} />
        ) : (
          <span class="avatar">{name.charAt(0).toUpperCase()}</span>
        )}
      </PictureSetting>
      <PictureSetting label={t('lists.yourPicture')} save={(file) => sendPicture('/users/me/avatar', file)}>
        <Avatar userId={server.value.user_id} size={64} />
      </PictureSetting>
      <p class="quiet">{t('lists.youllSayHelloInGeneral')}</p>
    </Form>
  );
}
