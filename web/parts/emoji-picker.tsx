import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { charactersOf, emojiNames } from '#web/net/emoji.ts';
import type { Emoji } from '#web/net/message-actions.ts';
import { server } from '#web/net/store.ts';
import table from '#web/parts/emoji-table.json' with { type: 'json' };

const GROUPS = [
  'Smileys and emotion',
  'People',
  '',
  'Animals and nature',
  'Food and drink',
  'Travel and places',
  'Activities',
  'Objects',
  'Symbols',
  'Flags',
];

interface Choice extends Emoji {
  group: string;
  words: string;
}

/** Every emoji that the service knows, by group, found by name or by words that belong to it. */
export function EmojiPicker({ choose }: { choose: (emoji: Emoji) => void }) {
  const wanted = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  // The picker is loaded after its layer has opened, so the layer had no field to focus.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const all = useMemo(listAll, [emojiNames.value]);
  const text = wanted.value.trim().toLowerCase();
  const shown = text === '' ? all : all.filter(({ words }) => words.includes(text));
  return (
    <div class="emoji-picker">
      <input
        class="input"
        ref={field}
        type="search"
        placeholder="Find an emoji"
        aria-label="Find an emoji"
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key !== 'Enter' || !first) return;
          // The layer gives the focus back to its control, which the same Enter would press.
          event.preventDefault();
          choose(first);
        }}
      />
      <div class="emoji-grid">
        {groupsOf(shown).map(([group, list]) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <div>
              {list.map((one) => (
                <button
                  type="button"
                  key={one.emoji_code}
                  title={one.emoji_name}
                  aria-label={one.emoji_name}
                  onClick={() => choose(one)}
                >
                  {one.reaction_type === 'realm_emoji' ? (
                    <img src={server.value.realm_emoji[one.emoji_code]?.source_url} alt="" loading="lazy" />
                  ) : (
                    charactersOf(one.emoji_code)
                  )}
                </button>
              ))}
            </div>
          </section>
        ))}
        {shown.length === 0 && <p class="quiet">No emoji of that name.</p>}
      </div>
    </div>
  );
}

function listAll(): Choice[] {
  const custom: Choice[] = Object.values(server.value.realm_emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({
      emoji_name: name,
      emoji_code: id,
      reaction_type: 'realm_emoji',
      group: server.value.realm_name,
      words: name,
    }));
  const known = emojiNames.value;
  const unicode = table.flatMap(([code, group, tags]): Choice[] => {
    const names = known.get(code);
    const [name] = names ?? [];
    if (!names || name === undefined) return [];
    const words = `${names.join(' ')} ${tags}`.toLowerCase();
    return [
      {
        emoji_name: name,
        emoji_code: code,
        reaction_type: 'unicode_emoji',
        group: GROUPS[group] ?? '',
        words,
      },
    ];
  });
  return [...custom, ...unicode];
}

function groupsOf(all: Choice[]): [string, Choice[]][] {
  const groups = new Map<string, Choice[]>();
  for (const one of all) {
    const list = groups.get(one.group);
    if (list) list.push(one);
    else groups.set(one.group, [one]);
  }
  return [...groups];
}
