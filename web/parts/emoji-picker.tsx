import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { charactersOf, emojiNames, emojiWords, POPULAR } from '#web/net/emoji.ts';
import { noteEmoji, readEmojiUses } from '#web/net/emoji-uses.ts';
import type { Emoji } from '#web/net/message-actions.ts';
import { server } from '#web/net/store.ts';
import table from '#web/parts/emoji-table.json' with { type: 'json' };
import { frequentEmoji, rankEmoji } from '#web/state/emoji-search.ts';
import { t } from '#web/texts/texts.ts';

const GROUPS = [
  t('parts.smileysAndEmotion'),
  t('common.people'),
  '',
  t('parts.animalsAndNature'),
  t('parts.foodAndDrink'),
  t('parts.travelAndPlaces'),
  t('parts.activities'),
  t('parts.objects'),
  t('parts.symbols'),
  t('parts.flags'),
];

interface Choice extends Emoji {
  group: string;
  code: string;
  names: readonly string[];
  words: readonly string[];
}

const FREQUENT = t('parts.frequentlyUsed');
const MOST_FREQUENT = 18;

/** Every emoji that the service knows, by group, found by name or by words that belong to it. */
export function EmojiPicker({ choose }: { choose: (emoji: Emoji) => void }) {
  const wanted = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  // The picker is loaded after its layer has opened, so the layer had no field to focus.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const all = useMemo(listAll, [emojiNames.value]);
  const text = wanted.value.trim();
  const uses = useMemo(readEmojiUses, []);
  const frequent = frequentEmoji(uses, MOST_FREQUENT).flatMap((code) => {
    const one = all.find((choice) => choice.code === code);
    return one ? [{ ...one, group: FREQUENT }] : [];
  });
  const found =
    text === ''
      ? []
      : rankEmoji(all, text, uses, POPULAR).map((one) => ({ ...one, group: t('common.found') }));
  const shown = text === '' ? [...frequent, ...all] : found;
  const take = (one: Choice): void => {
    noteEmoji(one.code);
    choose({ emoji_name: one.emoji_name, emoji_code: one.emoji_code, reaction_type: one.reaction_type });
  };
  return (
    <div class="emoji-picker">
      <input
        class="input"
        ref={field}
        type="search"
        placeholder={t('parts.searchEmoji')}
        aria-label={t('parts.searchEmoji')}
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key !== 'Enter' || !first) return;
          // The layer gives the focus back to its control, which the same Enter would press.
          event.preventDefault();
          take(first);
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
                  onClick={() => take(one)}
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
        {shown.length === 0 && <p class="quiet">{t('parts.noEmojiFound')}</p>}
      </div>
    </div>
  );
}

// Completions find by the same words, once they are here.
emojiWords.value = new Map(table.map(([code, , tags]) => [code, tags.toLowerCase().split(' ')]));

function listAll(): Choice[] {
  const custom: Choice[] = Object.values(server.value.realm_emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({
      emoji_name: name,
      emoji_code: id,
      reaction_type: 'realm_emoji',
      group: server.value.realm_name,
      code: id,
      names: [name],
      words: [],
    }));
  const known = emojiNames.value;
  const unicode = table.flatMap(([code, group, tags]): Choice[] => {
    const names = known.get(code);
    const [name] = names ?? [];
    if (!names || name === undefined) return [];
    return [
      {
        emoji_name: name,
        emoji_code: code,
        reaction_type: 'unicode_emoji',
        group: GROUPS[group] ?? '',
        code,
        names,
        words: tags.toLowerCase().split(' '),
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
