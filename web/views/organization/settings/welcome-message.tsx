import { explain } from '#web/net/api.ts';
import { tryWelcome } from '#web/net/organization/settings.ts';
import { tell, useServer } from '#web/net/store.ts';
import { Group } from '#web/parts/sections.tsx';
import { Text } from './setting-controls.tsx';

/** What the welcome bot writes to new people, beside what it always says. */
export function WelcomeMessage() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const text = useServer((server) => server.realm_welcome_message_custom_text);
  const send = (): void =>
    void tryWelcome(text).then(
      () => tell('It is in your direct messages.'),
      (reason) => tell(`Not sent: ${explain(reason)}`),
    );
  return (
    <Group
      title="Welcome"
      note={`New people find it in their direct messages.${isAdmin ? '' : ' Administrators can change this.'}`}
    >
      <Text
        name="realm_welcome_message_custom_text"
        label="Message of the organization"
        hint="It may be written in Markdown."
        isLong
      />
      {isAdmin && text !== '' && (
        <button type="button" class="button start" onClick={send}>
          Send it to me
        </button>
      )}
    </Group>
  );
}
