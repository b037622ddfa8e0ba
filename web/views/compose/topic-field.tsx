import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadTopics } from '#web/net/pages.ts';
import { cache, topicLabel, useServer } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import { leftOfTopic, looksLikeMessage, offerTopics, type TopicOffer } from '#web/state/destination.ts';
import { t } from '#web/texts/texts.ts';

/** The topic of a new message: offers the channel's topics, and leads on to the text. It never sends. */
export function TopicField({
  channelId,
  topic,
  field,
  toText,
  moveToText,
}: {
  channelId: number;
  topic: Signal<string>;
  field: RefObject<HTMLInputElement | null>;
  toText: () => void;
  /** Makes the typed text the beginning of the message. */
  moveToText: () => void;
}) {
  const longest = useServer(({ max_topic_length }) => max_topic_length);
  const isOpen = useSignal(false);
  const chosen = useSignal(0);
  useEffect(() => {
    loadTopics(channelId).catch(() => undefined);
  }, [channelId]);
  const topics = (cache.value.topics.get(channelId) ?? []).map(({ name }) => name);
  const offers = isOpen.value ? offerTopics(topic.value, topics) : [];
  const left = leftOfTopic(topic.value, longest);
  const take = (name: string | undefined): void => {
    if (name !== undefined) topic.value = name;
    isOpen.value = false;
    toText();
  };
  const step = (by: 1 | -1): void => {
    if (offers.length === 0) isOpen.value = true;
    else chosen.value = (chosen.value + by + offers.length) % offers.length;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    if (key === 'ArrowDown') step(1);
    else if (key === 'ArrowUp') step(-1);
    else if (key === 'Enter' || (key === 'Tab' && !shiftKey))
      take(topic.value.trim() === '' ? undefined : offers[chosen.value]?.name);
    else if (key === 'Escape' && offers.length > 0) isOpen.value = false;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        ref={field}
        class="topic-field"
        role="combobox"
        aria-label={t('common.topic')}
        aria-autocomplete="list"
        aria-expanded={offers.length > 0}
        aria-controls="topic-offers"
        aria-activedescendant={offers.length > 0 ? `topic-offer-${chosen.value}` : undefined}
        placeholder={t('common.topic')}
        autocomplete="off"
        dir="auto"
        value={topic.value}
        onFocus={() => {
          isOpen.value = true;
        }}
        onBlur={() => {
          isOpen.value = false;
        }}
        onInput={(event) => {
          topic.value = event.currentTarget.value;
          chosen.value = 0;
          isOpen.value = true;
        }}
        onKeyDown={onKeyDown}
      />
      {left !== undefined && (
        <span class={left < 0 ? 'left over' : 'left'} role="status">
          {t('compose.leftLeft', { left })}
        </span>
      )}
      {looksLikeMessage(topic.value) && (
        <span class="topic-doubt">
          {t('compose.thatLooksLikeAMessage')}{' '}
          <button
            type="button"
            class="button"
            onPointerDown={(event) => event.preventDefault()}
            onClick={moveToText}
          >
            {t('compose.moveItToTheText')}
          </button>
        </span>
      )}
      <TopicOffers offers={offers} chosen={chosen.value} take={take} />
    </>
  );
}

function TopicOffers({
  offers,
  chosen,
  take,
}: {
  offers: readonly TopicOffer[];
  chosen: number;
  take: (name: string) => void;
}) {
  return (
    <div
      class="completions topic-offers"
      id="topic-offers"
      role="listbox"
      aria-label={t('common.topics')}
      hidden={offers.length === 0}
    >
      {offers.map(({ name, isNew }, index) => (
        <button
          type="button"
          role="option"
          tabIndex={-1}
          id={`topic-offer-${index}`}
          key={`${isNew} ${name}`}
          aria-selected={index === chosen}
          class="menu-item"
          onPointerDown={(event) => {
            event.preventDefault();
            take(name);
          }}
        >
          <Icon name={isNew ? 'plus' : 'message-square'} />
          <span dir="auto">{isNew ? t('compose.startTheTopicName', { name }) : topicLabel(name)}</span>
        </button>
      ))}
    </div>
  );
}
