import { call } from '#web/net/api.ts';
import { createChannel } from '#web/net/channel-actions.ts';
import { go, openNarrow } from '#web/net/router.ts';
import { server, tell, useServer } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { topicNarrow } from '#web/state/narrow.ts';
import { openComposerSoon } from '#web/views/compose/open-composer.ts';

const LONGEST_NAME = 40;

/** Makes a new organization a place to talk: its name, a first channel for everyone, and a topic to say hello in. */
export const openSetUp = (): void => openDialog('Set up your team', () => <SetUp />);

function SetUp() {
  const name = useServer(({ realm_name }) => realm_name);
  const submit = async (fields: FormData): Promise<void> => {
    const team = String(fields.get('team')).trim();
    const ownName = String(fields.get('own')).trim();
    if (team !== name) await call('PATCH', '/realm', { name: team });
    if (ownName !== server.value.full_name) await call('PATCH', '/settings', { full_name: ownName });
    const channelId = await createChannel({
      name: 'general',
      description: 'For everyone. Start a topic for each conversation.',
      privacy: 'public',
      folderId: undefined,
      userIds: [],
    });
    await call('POST', '/default_streams', { stream_id: channelId });
    closeDialog();
    openNarrow(topicNarrow(channelId, `Hello, ${team}`));
    openComposerSoon();
    tell('#general is ready. Everyone who joins lands here', {
      label: 'Invite people',
      run: () => go('#invite'),
    });
  };
  return (
    <Form label="Create #general" submit={submit} cancel={closeDialog}>
      <TextLine label="What’s your team called?" name="team" longest={LONGEST_NAME} value={name} isRequired />
      <TextLine label="Your name" name="own" longest={100} value={server.value.full_name} isRequired />
      <p class="quiet">
        You’ll say hello in #general, and everyone who joins lands there, so no one starts with an empty
        screen.
      </p>
    </Form>
  );
}
