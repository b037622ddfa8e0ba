import { useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { trayOf } from '#web/net/attachments.ts';
import { forgetKept, keep, readKept } from '#web/net/device.ts';
import { readDraft } from '#web/net/drafts.ts';
import { obstacleTo, obstacleToNewTopic } from '#web/net/rights.ts';
import { openNarrow } from '#web/net/router.ts';
import { channels, ownChannels, server, showNotice, useServer } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { topicsPolicyOf } from '#web/state/channels.ts';
import { type Conversation, topicNarrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { ClosedDock } from './closed-dock.tsx';
import { Compose } from './compose.tsx';
import { putText } from './hosts.ts';
import { TopicField } from './topic-field.tsx';

/** Starts a topic in a channel: folded it is a button, open it is the composer with a line for the topic. */
export function StartConversation({ channelId }: { channelId: number }) {
  const unnamed: Conversation = { type: 'stream', channelId, topic: '' };
  const isOpen = useSignal(
    readDraft(unnamed).trim() !== '' || trayOf(unnamed).items.length > 0 || readTopic(channelId) !== '',
  );
  const channel = channels.value.get(channelId);
  const obstacle = useServer(() => obstacleToNewTopic(channelId), [channelId]);
  if (!channel) return null;
  if (obstacle !== undefined) return <ClosedDock reason={obstacle} />;
  if (isOpen.value)
    return (
      <NewTopic
        channelId={channelId}
        close={() => {
          isOpen.value = false;
        }}
      />
    );
  return (
    <div class="dock">
      <button
        type="button"
        id="compose-text"
        class="compose-rest"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="pencil-line" />
        {t('compose.newTopicInChannel', { channel: channel.name })}
      </button>
    </div>
  );
}

const nameOfTopic = (channelId: number): string => `new topic ${server.value.user_id} ${channelId}`;

/** The name of the topic that was begun on this device. */
const readTopic = (channelId: number): string => readKept(nameOfTopic(channelId)) ?? '';

function NewTopic({ channelId, close }: { channelId: number; close: () => void }) {
  const topic = useSignal(readTopic(channelId));
  useSignalEffect(() => {
    if (topic.value === '') forgetKept(nameOfTopic(channelId));
    else keep(nameOfTopic(channelId), topic.value);
  });
  const field = useRef<HTMLInputElement>(null);
  const longest = useServer(({ max_topic_length }) => max_topic_length);
  const channel = channels.value.get(channelId);
  const unnamed: Conversation = { type: 'stream', channelId, topic: '' };
  useLayoutEffect(() => field.current?.focus(), []);
  const toText = (): void => document.getElementById('compose-text')?.focus();
  const find = (): Conversation | undefined => {
    const name = topic.value.trim();
    const isNeeded = topicsPolicyOf(server.value, channel) === 'disable_empty_topic';
    const refusal =
      name === '' && isNeeded
        ? t('compose.addATopicToSend')
        : [...name].length > longest
          ? t('compose.shortenTheTopicByCount', { count: [...name].length - longest })
          : obstacleTo({ type: 'stream', channelId, topic: name });
    if (refusal === undefined) return { type: 'stream', channelId, topic: name };
    showNotice(refusal);
    field.current?.focus();
    return undefined;
  };
  const line = (
    <div class="destination" style={{ '--c': ownChannels.value.get(channelId)?.color }}>
      <span class="destination-channel">{t('compose.toChannel', { channel: channel?.name ?? '' })}</span>
      <span aria-hidden="true">›</span>
      <TopicField
        channelId={channelId}
        topic={topic}
        field={field}
        toText={toText}
        moveToText={() => {
          const typed = topic.value;
          topic.value = '';
          putText(unnamed, typed);
          field.current?.focus();
        }}
      />
      <IconButton icon="x" label={t('compose.close')} onClick={close} />
    </div>
  );
  return (
    <Compose
      conversation={unnamed}
      destination={{
        line,
        find,
        onSent: (to) => {
          forgetKept(nameOfTopic(channelId));
          if (to.type === 'stream') openNarrow(topicNarrow(to.channelId, to.topic));
        },
      }}
    />
  );
}
