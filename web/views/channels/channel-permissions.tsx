import { editChannel } from '#web/net/channel-actions.ts';
import { useServer } from '#web/net/store.ts';
import { PermissionChoices } from '#web/parts/permission-choices.tsx';
import { Group } from '#web/parts/sections.tsx';
import type { Channel } from '#web/state/wire.ts';

const PERMISSIONS = [
  ['can_administer_channel_group', 'Administer the channel', 'They change what stands here.'],
  ['can_send_message_group', 'Write messages', undefined],
  ['can_create_topic_group', 'Start topics', undefined],
  ['can_subscribe_group', 'Subscribe themselves', 'Also where the channel is private.'],
  ['can_add_subscribers_group', 'Subscribe others', undefined],
  ['can_remove_subscribers_group', 'Unsubscribe others', undefined],
  ['can_resolve_topics_group', 'Resolve topics', undefined],
  ['can_move_messages_within_channel_group', 'Move messages to another topic', undefined],
  ['can_move_messages_out_of_channel_group', 'Move messages to another channel', undefined],
  ['can_delete_any_message_group', 'Delete any message', undefined],
  ['can_delete_own_message_group', 'Delete their own messages', undefined],
] as const;

/** Who may do what in a channel, beside those to whom the organization gives it everywhere. */
export function ChannelPermissions({ channel, isFixed }: { channel: Channel; isFixed: boolean }) {
  const rules = useServer(
    ({ server_supported_permission_settings }) => server_supported_permission_settings.stream,
  );
  return (
    <Group title="Who may" note="Beside those to whom the organization gives it in every channel.">
      <PermissionChoices
        permissions={PERMISSIONS}
        values={channel}
        rules={rules}
        isFixed={isFixed}
        save={(changes) => editChannel(channel.stream_id, changes)}
      />
    </Group>
  );
}
