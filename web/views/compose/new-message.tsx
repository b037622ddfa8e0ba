import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { mayPostIn, obstacleTo } from '#web/net/rights.ts';
import { openNarrow } from '#web/net/router.ts';
import { channels, ownChannels, people, server, showNotice, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { DialogFoot } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { topicsPolicyOf } from '#web/state/channels.ts';
import { findTargets, type Target } from '#web/state/jump.ts';
import { type Conversation, narrowOf } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { openComposer } from './open-composer.ts';
import { TopicField } from './topic-field.tsx';

/** Chooses the destination of a new message: a channel and a topic, or people. Then it is written there. */
export const openNewMessage = (only?: 'people'): void =>
  openDialog(only ? t('compose.newDirectMessage') : t('compose.newMessage'), () => (
    <NewMessage only={only} />
  ));

/** Focuses the message box of the page, or opens the choice of a destination. */
export function write(): void {
  if (document.getElementById('compose-text')) openComposer();
  else openNewMessage();
}

const MOST = 8;

interface Choice extends Target {
  id: number;
}

function NewMessage({ only }: { only: 'people' | undefined }) {
  const close = useClose();
  const typed = useSignal('');
  const index = useSignal(0);
  const channelId = useSignal<number | undefined>(undefined);
  const userIds = useSignal<readonly number[]>([]);
  const topic = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  const topicField = useRef<HTMLInputElement>(null);
  const all = useMemo(() => listChoices(only), [only]);
  const isSettled = channelId.value !== undefined;
  const open = all.filter(({ kind, id }) =>
    kind === 'channel' ? userIds.value.length === 0 : !userIds.value.includes(id),
  );
  const found = isSettled ? [] : (findTargets(open, typed.value, {}, MOST) as Choice[]);
  useEffect(() => {
    (isSettled ? topicField : field).current?.focus();
  }, [isSettled]);
  const take = (choice: Choice | undefined): void => {
    if (!choice) return;
    typed.value = '';
    index.value = 0;
    if (choice.kind === 'channel') channelId.value = choice.id;
    else userIds.value = [...userIds.value, choice.id];
    field.current?.focus();
  };
  const go = (): void => {
    const to = destinationOf(channelId.value, topic.value, userIds.value);
    if (typeof to === 'string') {
      showNotice(to);
      return;
    }
    close();
    openNarrow(narrowOf(to));
    requestAnimationFrame(() => requestAnimationFrame(openComposer));
  };
  const onKeyDown = onChoiceKey({ typed, index, found, take, go, userIds });
  return (
    <form
      class="stack new-message"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <div class="chips-field" data-changed={userIds.value.length > 0 || undefined}>
        <span class="chips-label">{t('compose.to')}</span>
        {userIds.value.map((id) => (
          <PersonChip
            key={id}
            id={id}
            remove={() => {
              userIds.value = userIds.value.filter((userId) => userId !== id);
            }}
          />
        ))}
        {isSettled ? (
          <ChannelChip
            id={channelId.value ?? 0}
            remove={() => {
              channelId.value = undefined;
            }}
          />
        ) : (
          <ToField
            typed={typed}
            index={index}
            found={found}
            field={field}
            label={only || userIds.value.length > 0 ? t('common.people') : t('compose.channelOrPeople')}
            onKeyDown={onKeyDown}
          />
        )}
        {channelId.value !== undefined && (
          <>
            <span aria-hidden="true">›</span>
            <TopicField
              channelId={channelId.value}
              topic={topic}
              field={topicField}
              toText={go}
              moveToText={go}
            />
          </>
        )}
      </div>
      {!isSettled && <Choices found={found} chosen={index.value} take={take} />}
      <DialogFoot cancel={close}>
        <button type="submit" class="button primary">
          {t('compose.write')}
        </button>
      </DialogFoot>
    </form>
  );
}

interface ChoiceKeys {
  typed: Signal<string>;
  index: Signal<number>;
  userIds: Signal<readonly number[]>;
  found: readonly Choice[];
  take: (choice: Choice | undefined) => void;
  go: () => void;
}

/** Arrows move, Enter selects or continues, Backspace removes the last person. */
const onChoiceKey =
  ({ typed, index, userIds, found, take, go }: ChoiceKeys) =>
  (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : -1;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      index.value = (index.value + step + found.length) % Math.max(1, found.length);
    else if (event.key === 'Backspace' && typed.value === '') userIds.value = userIds.value.slice(0, -1);
    else if (event.key === 'Enter' && typed.value === '' && userIds.value.length > 0) go();
    else if (event.key === 'Enter') take(found[index.value]);
    else return;
    if (event.key !== 'Backspace') event.preventDefault();
  };

function ToField({
  typed,
  index,
  found,
  field,
  label,
  onKeyDown,
}: {
  typed: Signal<string>;
  index: Signal<number>;
  found: readonly Choice[];
  field: RefObject<HTMLInputElement | null>;
  label: string;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  return (
    <input
      ref={field}
      role="combobox"
      aria-expanded={found.length > 0}
      aria-controls="new-message-list"
      aria-activedescendant={found[index.value] ? `to-${index.value}` : undefined}
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      dir="auto"
      value={typed.value}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
        index.value = 0;
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** The destination of the message, or its missing part. */
function destinationOf(
  channelId: number | undefined,
  topic: string,
  userIds: readonly number[],
): Conversation | string {
  if (channelId === undefined)
    return userIds.length > 0 ? toPeople(userIds) : t('compose.chooseWhoOrWhereTo');
  const name = topic.trim();
  const longest = server.value.max_topic_length;
  if (name === '' && topicsPolicyOf(server.value, channels.value.get(channelId)) === 'disable_empty_topic')
    return t('compose.addATopicToSend');
  if ([...name].length > longest)
    return t('compose.shortenTheTopicByCount', { count: [...name].length - longest });
  const conversation: Conversation = { type: 'stream', channelId, topic: name };
  return obstacleTo(conversation) ?? conversation;
}

function toPeople(userIds: readonly number[]): Conversation | string {
  const conversation: Conversation = { type: 'private', userIds: [...userIds] };
  return obstacleTo(conversation) ?? conversation;
}

function Choices({
  found,
  chosen,
  take,
}: {
  found: readonly Choice[];
  chosen: number;
  take: (choice: Choice) => void;
}) {
  return (
    <div class="switcher-list" id="new-message-list" role="listbox" aria-label={t('common.found')}>
      {found.map((choice, place) => (
        <button
          type="button"
          role="option"
          id={`to-${place}`}
          tabIndex={-1}
          aria-selected={place === chosen}
          class="menu-item"
          key={choice.key}
          onClick={() => take(choice)}
        >
          {choice.kind === 'channel' ? <Icon name="hash" /> : <Avatar userId={choice.id} size={20} />}
          <span dir="auto">{choice.name}</span>
          <span class="quiet">{choice.note}</span>
        </button>
      ))}
    </div>
  );
}

function PersonChip({ id, remove }: { id: number; remove: () => void }) {
  const name = useServer(() => people.value.get(id)?.full_name ?? '', [id]);
  return (
    <span class="chip">
      <Avatar userId={id} size={20} />
      {name}
      <IconButton icon="x" label={t('compose.removeName', { name })} onClick={remove} />
    </span>
  );
}

function ChannelChip({ id, remove }: { id: number; remove: () => void }) {
  const name = channels.value.get(id)?.name ?? '';
  return (
    <span class="chip">
      <span class="swatch" style={{ '--c': ownChannels.value.get(id)?.color }} />
      {name}
      <IconButton icon="x" label={t('compose.removeName', { name })} onClick={remove} />
    </span>
  );
}

function listChoices(only: 'people' | undefined): Choice[] {
  const persons = [...people.value.values()]
    .filter(({ is_active }) => is_active)
    .map(({ user_id: id, full_name: name, delivery_email: email }): Choice => {
      const note = id === server.value.user_id ? t('compose.you') : '';
      const words = email ? { words: [email] } : {};
      return { key: `p${id}`, kind: 'person', id, name, note, newestId: 0, ...words };
    });
  const own = [...ownChannels.value.values()]
    .filter(({ stream_id: id }) => mayPostIn(id))
    .map(
      ({ stream_id: id, name }): Choice => ({
        ...{ key: `c${id}`, kind: 'channel', id, name, note: t('compose.channel'), newestId: 0 },
      }),
    );
  return only ? persons : [...own, ...persons];
}
