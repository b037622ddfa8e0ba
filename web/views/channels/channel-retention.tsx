import { editChannel } from '#web/net/channel-actions.ts';
import { useServer } from '#web/net/store.ts';
import { RetentionChoice } from '#web/parts/retention-choice.tsx';
import type { Channel } from '#web/state/wire.ts';

/** How long the messages of a channel are kept, where it says otherwise than the organization. */
export function ChannelRetention({ channel }: { channel: Channel }) {
  const isOwner = useServer(({ is_owner }) => is_owner);
  const days = useServer(({ realm_message_retention_days }) => realm_message_retention_days);
  return (
    <RetentionChoice
      days={channel.message_retention_days}
      inherits={days === -1 ? 'As the organization says: for ever' : `As the organization says: ${days} days`}
      isFixed={!isOwner}
      hint="Older messages are deleted. Only owners can change this."
      save={(given) => editChannel(channel.stream_id, { message_retention_days: given })}
    />
  );
}
