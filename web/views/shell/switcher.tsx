import { useSignal } from '@preact/signals';
import { go, linkTo } from '#web/net/router.ts';
import { cache, channels, ownChannels, people, server, topicLabel } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-drawings.ts';
import { channelNarrow, directNarrow, topicNarrow } from '#web/state/narrow.ts';

interface Target {
  key: string;
  icon: IconName;
  name: string;
  note: string;
  link: string;
}

/** The quick switcher over views, channels, topics and people; `then` runs where the viewer went somewhere. */
export const openSwitcher = (only?: 'people', then?: () => void): void =>
  openDialog(only ? 'New direct message' : then ? 'Forward to' : 'Jump to', () => (
    <Switcher only={only} then={then} />
  ));

const MOST = 12;

function Switcher({ only, then }: { only: 'people' | undefined; then: (() => void) | undefined }) {
  const text = useSignal('');
  const index = useSignal(0);
  const found = findTargets(text.value, only);
  const choose = (target: Target | undefined): void => {
    if (!target) return;
    closeDialog();
    go(target.link);
    then?.();
  };
  return (
    <div class="switcher">
      <input
        class="input"
        role="combobox"
        aria-expanded="true"
        aria-controls="switcher-list"
        aria-activedescendant={found[index.value] ? `switch-${index.value}` : undefined}
        aria-label={only ? 'Person' : 'Channel, topic or person'}
        placeholder={only ? 'Name of a person' : 'Channel, topic or person'}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type
        autoFocus
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          index.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
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
      <div class="switcher-list" id="switcher-list" role="listbox" aria-label="Found">
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
            <span>{target.name}</span>
            <span class="quiet">{target.note}</span>
          </button>
        ))}
        {found.length === 0 && <p class="quiet">Nothing of that name.</p>}
      </div>
    </div>
  );
}

const VIEWS: Target[] = [
  { key: 'inbox', icon: 'inbox', name: 'Inbox', note: '', link: '#inbox' },
  { key: 'recent', icon: 'clock', name: 'Recent conversations', note: '', link: '#recent' },
  { key: 'feed', icon: 'layers', name: 'Combined feed', note: '', link: '#feed' },
  { key: 'mentions', icon: 'at-sign', name: 'Mentions', note: '', link: '#narrow/is/mentioned' },
  { key: 'starred', icon: 'star', name: 'Starred', note: '', link: '#narrow/is/starred' },
  { key: 'drafts', icon: 'pencil-line', name: 'Drafts', note: '', link: '#drafts' },
];

function findTargets(text: string, only: 'people' | undefined): Target[] {
  const wanted = text.trim().toLowerCase();
  const all = only ? peopleTargets() : [...VIEWS, ...channelTargets(), ...peopleTargets(), ...topicTargets()];
  const ranked = all
    .map((target) => ({ target, rank: rankOf(target.name.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, MOST).map(({ target }) => target);
}

/** 0 where the name begins so, 1 where a word of it does, 2 where it stands within, −1 where it does not. */
function rankOf(name: string, wanted: string): number {
  const at = name.indexOf(wanted);
  if (at <= 0) return at;
  return /[\s\-_/]/.test(name[at - 1] ?? '') ? 1 : 2;
}

const channelTargets = (): Target[] =>
  [...channels.value.values()]
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id: id, name, invite_only }) => ({
      key: `c${id}`,
      icon: invite_only ? ('lock' as const) : ('hash' as const),
      name,
      note: ownChannels.value.has(id) ? '' : 'not subscribed',
      link: linkTo(channelNarrow(id)),
    }));

const peopleTargets = (): Target[] =>
  [...people.value.values()]
    .filter(({ is_active }) => is_active)
    .map(({ user_id: id, full_name, is_bot }) => ({
      key: `p${id}`,
      icon: is_bot ? ('bot' as const) : ('user' as const),
      name: full_name,
      note: id === server.value.user_id ? 'you' : '',
      link: linkTo(directNarrow([id])),
    }));

const topicTargets = (): Target[] =>
  [...cache.value.topics].flatMap(([channelId, topics]) =>
    topics.slice(0, 200).map(({ name }) => ({
      key: `t${channelId} ${name}`,
      icon: 'message-square' as const,
      name: topicLabel(name),
      note: channels.value.get(channelId)?.name ?? '',
      link: linkTo(topicNarrow(channelId, name)),
    })),
  );
