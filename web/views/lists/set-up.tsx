import { call } from '#web/net/api.ts';
import { createChannel } from '#web/net/channel-actions.ts';
import { sendPicture } from '#web/net/own-settings.ts';
import { go, openNarrow } from '#web/net/router.ts';
import { server, tell, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { PictureSetting } from '#web/parts/picture-setting.tsx';
import { topicNarrow } from '#web/state/narrow.ts';
import { openComposerSoon } from '#web/views/compose/open-composer.ts';

const LONGEST_NAME = 40;

async function createFirstChannel(): Promise<number> {
  const channelId = await createChannel({
    name: 'general',
    description: 'For everyone. Start a topic for each conversation.',
    privacy: 'public',
    folderId: undefined,
    userIds: [],
  });
  await call('POST', '/default_streams', { stream_id: channelId });
  return channelId;
}

/** Makes a new organization a place to talk: its name, a first channel for everyone, and a topic to say hello in. */
export const openSetUp = (): void => openDialog('Set up your team', () => <SetUp />);

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
    openNarrow(topicNarrow(channelId, `Hello, ${team}`));
    openComposerSoon();
    tell(first === undefined ? '#general is ready. Everyone who joins lands here' : 'Your team is set up', {
      label: 'Invite people',
      run: () => go('#invite'),
    });
  };
  return (
    <Form label={first === undefined ? 'Create #general' : 'Done'} submit={submit} cancel={closeDialog}>
      <TextLine label="What’s your team called?" name="team" longest={LONGEST_NAME} value={name} isRequired />
      <TextLine label="Your name" name="own" longest={100} value={server.value.full_name} isRequired />
      <PictureSetting
        label="Team picture"
        hint="A square logo."
        save={(file) => sendPicture('/realm/icon', file)}
      >
        {icon.startsWith('/') ? (
          <img class="avatar" src={icon} alt="" width={64} height={64} />
        ) : (
          <span class="avatar">{name.charAt(0).toUpperCase()}</span>
        )}
      </PictureSetting>
      <PictureSetting label="Your picture" save={(file) => sendPicture('/users/me/avatar', file)}>
        <Avatar userId={server.value.user_id} size={64} />
      </PictureSetting>
      <p class="quiet">
        You’ll say hello in #general, and everyone who joins lands there, so no one starts with an empty
        screen.
      </p>
    </Form>
  );
}
