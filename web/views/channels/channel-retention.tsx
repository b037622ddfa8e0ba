import { editChannel } from '#web/net/channel-actions.ts';
import { useServer } from '#web/net/store.ts';
import { RetentionChoice } from '#web/parts/retention-choice.tsx';
import type { Channel } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';

/** The retention time of a channel, if it differs from the organization's. */
export function ChannelRetention({ channel }: { channel: Channel }) {
  const isOwner = useServer(({ is_owner }) => is_owner);
  const days = useServer(({ realm_message_retention_days }) => realm_message_retention_days);
  return (
    <RetentionChoice
      days={channel.message_retention_days}
      inherits={
        days === -1
          ? t('channels.asTheOrganizationSaysFor')
          : t('channels.asTheOrganizationSaysDays', { days })
      }
      isFixed={!isOwner}
      hint={t('channels.olderMessagesAreDeletedOnly')}
      save={(choice) => editChannel(channel.stream_id, { message_retention_days: choice })}
    />
  );
}
