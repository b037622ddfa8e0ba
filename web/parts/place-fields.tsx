import { mayPostIn } from '#web/net/rights.ts';
import { cache, ownChannels, server } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';

interface Place {
  channelId: number;
  topic: string;
}

/** The channel and the topic to which messages go: of the viewer's own channels, with their topics as offers. */
export function PlaceFields({
  place,
  set,
  isChannelFixed = false,
  isTopicFixed = false,
}: {
  place: Place;
  set: (changes: Partial<Place>) => void;
  isChannelFixed?: boolean;
  isTopicFixed?: boolean;
}) {
  const { channelId, topic } = place;
  const channels = [...ownChannels.value.values()].filter(
    ({ stream_id: id }) => id === channelId || mayPostIn(id),
  );
  const topics = cache.value.topics.get(channelId) ?? [];
  return (
    <>
      <label class="field">
        {t('parts.channel')}
        <select
          class="input"
          value={channelId}
          disabled={isChannelFixed}
          onChange={(event) => set({ channelId: Number(event.currentTarget.value) })}
        >
          {channels.map(({ stream_id: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {t('common.topic')}
        <input
          class="input"
          value={topic}
          disabled={isTopicFixed}
          maxLength={server.value.max_topic_length}
          list="place-topics"
          dir="auto"
          onInput={(event) => set({ topic: event.currentTarget.value })}
        />
      </label>
      <datalist id="place-topics">
        {topics.slice(0, 100).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
