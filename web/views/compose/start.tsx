import { useSignal } from '@preact/signals';
import { openNarrow } from '#web/net/router.ts';
import { channels, server, useServer } from '#web/net/store.ts';
import { topicNarrow } from '#web/state/narrow.ts';

/** Names a topic of a channel, new or known, and goes there to write. */
export function StartConversation({ channelId }: { channelId: number }) {
  const topic = useSignal('');
  const longest = useServer(({ max_topic_length }) => max_topic_length);
  const channel = channels.value.get(channelId);
  if (!channel || channel.is_archived) return null;
  const policy =
    channel.topics_policy === 'inherit' ? server.value.realm_topics_policy : channel.topics_policy;
  const mayBeEmpty = policy !== 'disable_empty_topic';
  const open = (): void => {
    openNarrow(topicNarrow(channelId, topic.value.trim()));
    requestAnimationFrame(() => document.getElementById('compose-text')?.focus());
  };
  return (
    <div class="dock">
      <form
        class="compose start"
        aria-label="New topic"
        onSubmit={(event) => {
          event.preventDefault();
          if (topic.value.trim() !== '' || mayBeEmpty) open();
        }}
      >
        <input
          id="compose-text"
          class="start-topic"
          placeholder={`New topic in #${channel.name}`}
          aria-label={`New topic in #${channel.name}`}
          maxLength={longest}
          value={topic.value}
          onInput={(event) => {
            topic.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button primary" disabled={topic.value.trim() === '' && !mayBeEmpty}>
          Write
        </button>
      </form>
    </div>
  );
}
