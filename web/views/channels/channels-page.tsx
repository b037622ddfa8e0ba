import { unsubscribe } from '#web/net/channel-actions.ts';
import { subscribe } from '#web/net/message-actions.ts';
import { plainText } from '#web/net/notifying.ts';
import { mayJoin } from '#web/net/rights.ts';
import { channels, ownChannels, useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { FoundList } from '#web/parts/found-list.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Sections } from '#web/parts/sections.tsx';
import type { Channel } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { ChannelSettings } from './channel-settings.tsx';
import { NewChannelPage } from './new-channel.tsx';

const LISTS = [
  ['subscribed', t('channels.subscribed')],
  ['available', t('channels.notSubscribed')],
  ['all', t('channels.allChannels')],
  ['archived', t('channels.archived')],
] as const;

/** Lists channels, or shows one of them with its settings, or the form of a new one. */
export function ChannelsPage({ rest }: { rest: string[] }) {
  const [first = 'all'] = rest;
  const mayCreate = useServer(({ can_create_streams }) => can_create_streams);
  const channel = channels.value.get(Number(first));
  if (channel) return <ChannelSettings key={channel.stream_id} channel={channel} />;
  if (first === 'new') return <NewChannelPage />;
  const open = LISTS.find(([slug]) => slug === first)?.[0] ?? 'all';
  return (
    <main class="main">
      <Head title={t('common.channels')}>
        {mayCreate && (
          <a class="button primary" href="#channels/new">
            <Icon name="plus" /> {t('channels.newChannel')}
          </a>
        )}
      </Head>
      <Sections label={t('channels.listsOfChannels')} root="channels" open={open} list={LISTS}>
        <ChannelList key={open} which={open} />
      </Sections>
    </main>
  );
}

const WITHOUT: Record<(typeof LISTS)[number][0], { title: string; text: string }> = {
  subscribed: { title: t('channels.youReadNoChannelYet'), text: t('channels.subscribeToOneUnderAll') },
  available: { title: t('channels.youReadEveryChannel'), text: t('channels.newOnesAppearHere') },
  all: { title: t('channels.noChannelsYet'), text: t('channels.conversationsLiveInChannelsNew') },
  archived: { title: t('channels.nothingIsArchived'), text: t('channels.channelsThatWerePutAway') },
};

function ChannelList({ which }: { which: (typeof LISTS)[number][0] }) {
  const folders = useServer(({ channel_folders }) => channel_folders);
  const own = ownChannels.value;
  const isListed = (channel: Channel): boolean =>
    channel.is_archived === (which === 'archived') &&
    (which === 'subscribed'
      ? own.has(channel.stream_id)
      : which !== 'available' || !own.has(channel.stream_id));
  return (
    <FoundList
      label={t('channels.findAChannel')}
      countOf={(count) => t('common.channelCount', { count })}
      list={[...channels.value.values()].filter(isListed)}
      empty={<Empty icon="hash" {...WITHOUT[which]} />}
      draw={(channel) => (
        <ChannelLine
          key={channel.stream_id}
          channel={channel}
          folder={folders.find(({ id }) => id === channel.folder_id)?.name}
        />
      )}
    />
  );
}

function ChannelLine({ channel, folder }: { channel: Channel; folder: string | undefined }) {
  const { stream_id: id, name, rendered_description, subscriber_count: count } = channel;
  const description = plainText(rendered_description);
  const own = ownChannels.value.get(id);
  return (
    <li class="line" style={{ '--c': own?.color ?? '' }}>
      <span class="swatch" />
      <div class="line-text">
        <a class={channel.invite_only ? 'with-lock' : ''} href={`#channels/${id}`}>
          {name}
          {channel.invite_only && <Icon name="lock" />}
        </a>
        <span class="quiet">
          {[folder, t('common.subscriberCount', { count }), description].filter(Boolean).join(' · ')}
        </span>
      </div>
      {(own ? !channel.is_archived : mayJoin(channel)) && (
        <button
          type="button"
          class="button"
          aria-label={own ? t('channels.unsubscribeFrom', { name }) : t('channels.subscribeTo', { name })}
          onClick={() => void (own ? unsubscribe(channel) : subscribe(name))}
        >
          {own ? t('channels.unsubscribe') : t('common.subscribe')}
        </button>
      )}
    </li>
  );
}
