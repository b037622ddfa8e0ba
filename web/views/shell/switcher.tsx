import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { keep, readKept } from '#web/net/device.ts';
import { loadTopicsOfAll } from '#web/net/pages.ts';
import { go, linkTo } from '#web/net/router.ts';
import { cache, channels, nameOfPerson, ownChannels, people, server, topicLabel } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-drawings.ts';
import { findTargets, noteUse, type Target, type Uses } from '#web/state/jump.ts';
import { type Conversation, channelNarrow, directNarrow, narrowOf } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';

interface Place extends Target {
  icon: IconName;
  link: string;
}

interface Wanted {
  title?: string;
  /** `people` for direct messages; `conversations` for places that accept messages. */
  only?: 'people' | 'conversations';
}

/** The quick switcher over views, channels, topics and people; `then` runs if the viewer went to a conversation. */
export const openSwitcher = (wanted: Wanted = {}, then?: (conversation: Conversation) => void): void =>
  openDialog(
    wanted.title ?? (wanted.only === 'people' ? t('shell.newDirectMessage') : t('shell.jumpTo')),
    () => <Switcher only={wanted.only} then={then} />,
  );

const MOST = 12;

const usesName = (): string => `jumps ${server.value.user_id}`;

function readUses(): Uses {
  try {
    return JSON.parse(readKept(usesName()) ?? '{}');
  } catch {
    return {};
  }
}

function Switcher({
  only,
  then,
}: {
  only: Wanted['only'];
  then: ((conversation: Conversation) => void) | undefined;
}) {
  const close = useClose();
  const text = useSignal('');
  const index = useSignal(0);
  const uses = useMemo(readUses, []);
  useEffect(() => {
    if (only !== 'people') void loadTopicsOfAll();
  }, [only]);
  const topics = cache.value.topics;
  const places = useMemo(() => listPlaces(only), [only, topics]);
  const found = findTargets(places, text.value, uses, MOST) as Place[];
  const label = only === 'people' ? t('shell.searchPeople') : t('shell.searchChannelsTopicsAndPeople');
  const choose = (target: Place | undefined): void => {
    if (!target) return;
    keep(usesName(), JSON.stringify(noteUse(readUses(), target.key, Date.now())));
    close();
    go(target.link);
    if (target.conversation) then?.(target.conversation);
  };
  return (
    <div class="switcher">
      <input
        class="input"
        role="combobox"
        aria-expanded="true"
        aria-controls="switcher-list"
        aria-activedescendant={found[index.value] ? `switch-${index.value}` : undefined}
        aria-label={label}
        placeholder={label}
        dir="auto"
        data-passing
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type
        autoFocus
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          index.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            const step = event.key === 'ArrowDown' ? 1 : -1;
            index.value = (index.value + step + found.length) % Math.max(1, found.length);
          }
          if (event.key === 'Enter') {
            event.preventDefault();
            choose(found[index.value]);
          }
        }}
      />
      <div class="switcher-list" id="switcher-list" role="listbox" aria-label={t('common.found')}>
        {found.map((target, place) => (
          <button
            type="button"
            role="option"
            id={`switch-${place}`}
            tabIndex={-1}
            aria-selected={place === index.value}
            class="menu-item"
            key={target.key}
            onClick={() => choose(target)}
          >
            <Icon name={target.icon} />
            <span dir="auto">{target.name}</span>
            <span class="quiet">{target.note}</span>
          </button>
        ))}
        {found.length === 0 && <p class="quiet">{t('shell.nothingFoundForText', { text: text.value })}</p>}
        {text.value.trim() !== '' && only === undefined && (
          <a
            class="menu-item"
            href={linkTo([{ operator: 'search', operand: text.value.trim() }])}
            onClick={close}
          >
            <Icon name="search" />
            <span>{t('shell.searchAllMessagesForTrim', { trim: text.value.trim() })}</span>
          </a>
        )}
      </div>
    </div>
  );
}

const view = (key: string, icon: IconName, name: string, link: string): Place => ({
  ...{ key, icon, name, link, kind: 'view', note: '', newestId: 0 },
});

const VIEWS: Place[] = [
  view('inbox', 'inbox', t('common.inbox'), '#inbox'),
  view('recent', 'clock', t('common.recentConversations'), '#recent'),
  view('feed', 'layers', t('common.combinedFeed'), '#feed'),
  view('mentions', 'at-sign', t('common.mentions'), '#narrow/is/mentioned'),
  view('starred', 'star', t('shell.starred'), '#narrow/is/starred'),
  view('drafts', 'pencil-line', t('shell.drafts'), '#drafts'),
];

function listPlaces(only: Wanted['only']): Place[] {
  if (only === 'people') return [...peoplePlaces(), ...groupPlaces()];
  const conversations = [...topicPlaces(), ...peoplePlaces(), ...groupPlaces()];
  return only === 'conversations' ? conversations : [...VIEWS, ...channelPlaces(), ...conversations];
}

const channelPlaces = (): Place[] =>
  [...channels.value.values()]
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id: id, name, invite_only }) => ({
      key: `c${id}`,
      kind: 'channel',
      icon: invite_only ? 'lock' : 'hash',
      name,
      note: ownChannels.value.has(id) ? '' : t('shell.notSubscribed'),
      link: linkTo(channelNarrow(id)),
      newestId: cache.value.topics.get(id)?.[0]?.max_id ?? 0,
    }));

const newestDirect = (): Map<string, number> =>
  new Map(
    server.value.recent_private_conversations.map(({ user_ids, max_message_id }) => [
      [...user_ids].sort((a, b) => a - b).join(),
      Number(max_message_id) || 0,
    ]),
  );

function peoplePlaces(): Place[] {
  const newest = newestDirect();
  return [...people.value.values()]
    .filter(({ is_active }) => is_active)
    .map(({ user_id: id, full_name, is_bot, delivery_email: email }) => ({
      key: `p${id}`,
      kind: 'person',
      icon: is_bot ? 'bot' : 'user',
      name: full_name,
      note: id === server.value.user_id ? t('shell.you') : '',
      conversation: { type: 'private', userIds: [id] },
      link: linkTo(directNarrow([id])),
      newestId: newest.get(`${id}`) ?? 0,
      ...(email && { words: [email] }),
    }));
}

const groupPlaces = (): Place[] =>
  server.value.recent_private_conversations
    .filter(({ user_ids }) => user_ids.length > 1)
    .map(({ user_ids: userIds, max_message_id }) => ({
      key: `g${userIds.join()}`,
      kind: 'group',
      icon: 'users',
      name: userIds.map(nameOfPerson).join(t('common.comma')),
      note: '',
      conversation: { type: 'private', userIds },
      link: linkTo(directNarrow(userIds)),
      newestId: Number(max_message_id) || 0,
    }));

const topicPlaces = (): Place[] =>
  [...cache.value.topics].flatMap(([channelId, topics]) =>
    topics.map(({ name, max_id }): Place => {
      const conversation: Conversation = { type: 'stream', channelId, topic: name };
      return {
        key: `t${channelId} ${name}`,
        kind: 'topic',
        icon: 'message-square',
        name: topicLabel(name),
        note: channels.value.get(channelId)?.name ?? '',
        conversation,
        link: linkTo(narrowOf(conversation)),
        newestId: max_id,
      };
    }),
  );
