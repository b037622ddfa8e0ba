import { channels, useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { openSetUp } from './set-up.tsx';

/** What stands where nothing is unread: a calm word, or the first steps of somebody new. */
export function NothingUnread({ isNew }: { isNew: boolean }) {
  if (isNew) return <FirstSteps />;
  return (
    <Empty icon="circle-check" title="You’re all caught up" text="New messages will appear here.">
      <a class="button" href="#recent">
        Recent conversations
      </a>
    </Empty>
  );
}

/** What a person does first who reads no channel yet. */
function FirstSteps() {
  const name = useServer(({ realm_name }) => realm_name);
  const mayCreate = useServer(({ can_create_streams }) => can_create_streams);
  const mayInvite = useServer(({ can_invite_others_to_realm }) => can_invite_others_to_realm);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const hasChannels = channels.value.size > 0;
  return (
    <Empty
      icon="hash"
      title={`Welcome to ${name}`}
      text={
        hasChannels
          ? 'Channels are for what you work on; topics keep each conversation apart. Pick the channels you care about.'
          : 'Channels are for what you work on; topics keep each conversation apart. Create the first channel, then invite your team.'
      }
    >
      <div class="steps">
        {hasChannels ? (
          <a class="button primary" href="#channels/available">
            Browse channels
          </a>
        ) : (
          isAdmin && (
            <button type="button" class="button primary" onClick={openSetUp}>
              Set up your team
            </button>
          )
        )}
        {!hasChannels && !isAdmin && mayCreate && (
          <a class="button primary" href="#channels/new">
            Create channel
          </a>
        )}
        {mayInvite && (
          <a class="button" href="#invite">
            Invite people
          </a>
        )}
      </div>
    </Empty>
  );
}
