import { editChannel } from '#web/net/channel-actions.ts';
import { useServer } from '#web/net/store.ts';
import { PermissionChoices } from '#web/parts/permission-choices.tsx';
import { Group } from '#web/parts/sections.tsx';
import type { Channel } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';

const PERMISSIONS = [
  [
    'can_administer_channel_group',
    t('channels.administerTheChannel'),
    t('channels.theyChangeWhatStandsHere'),
  ],
  ['can_send_message_group', t('channels.writeMessages'), undefined],
  ['can_create_topic_group', t('channels.startTopics'), undefined],
  ['can_subscribe_group', t('channels.subscribeThemselves'), t('channels.alsoWhereTheChannelIs')],
  ['can_add_subscribers_group', t('channels.subscribeOthers'), undefined],
  ['can_remove_subscribers_group', t('channels.unsubscribeOthers'), undefined],
  ['can_resolve_topics_group', t('channels.resolveTopics'), undefined],
  ['can_move_messages_within_channel_group', t('channels.moveMessagesToAnotherTopic'), undefined],
  ['can_move_messages_out_of_channel_group', t('channels.moveMessagesToAnotherChannel'), undefined],
  ['can_delete_any_message_group', t('channels.deleteAnyMessage'), undefined],
  ['can_delete_own_message_group', t('channels.deleteTheirOwnMessages'), undefined],
] as const;

/** Who may do what in a channel, beside those to whom the organization gives it everywhere. */
export function ChannelPermissions({ channel, isFixed }: { channel: Channel; isFixed: boolean }) {
  const rules = useServer(
    ({ server_supported_permission_settings }) => server_supported_permission_settings.stream,
  );
  return (
    <Group title={t('channels.whoMay')} note={t('channels.besideThoseToWhomThe')}>
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
