import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { charactersOf, emojiNames, emojiWords, POPULAR } from '#web/net/emoji.ts';
import { chooseSkinTone, skinTone } from '#web/net/emoji-tone.ts';
import { noteEmoji, readEmojiUses } from '#web/net/emoji-uses.ts';
import type { Emoji } from '#web/net/message-actions.ts';
import { server } from '#web/net/store.ts';
import table from '#web/parts/emoji-table.json' with { type: 'json' };
import { isTouched } from '#web/parts/narrow.ts';
import { frequentEmoji, rankEmoji } from '#web/state/emoji-search.ts';
import { SKIN_TONES, withTone } from '#web/state/emoji-tones.ts';
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
  hasTones?: boolean;
}

const FREQUENT = t('parts.frequentlyUsed');
const MOST_FREQUENT = 18;

/**
 * Every emoji that the service knows, by group, found by name or by words that belong to it. Texts may have skin tones:
 * there, an emoji in another tone is given as its characters too. Reactions have none in the protocol.
 */
export function EmojiPicker({
  choose,
  isForText = false,
}: {
  choose: (emoji: Emoji, characters?: string) => void;
  isForText?: boolean;
}) {
  const tone = isForText ? skinTone.value : 0;
  const codeOf = ({ emoji_code, hasTones }: Choice): string =>
    hasTones ? withTone(emoji_code, tone) : emoji_code;
  const wanted = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  // The picker is loaded after its layer has opened, so the layer had no field to focus.
  useLayoutEffect(() => {
    if (!isTouched()) field.current?.focus({ preventScroll: true });
  }, []);
  const all = useMemo(listAll, [emojiNames.value]);
  const text = wanted.value.trim();
  const uses = useMemo(readEmojiUses, []);
  const frequent = frequentEmoji(uses, MOST_FREQUENT).flatMap((code) => {
    const match = all.find((choice) => choice.code === code);
    return match ? [{ ...match, group: FREQUENT }] : [];
  });
  const found =
    text === ''
      ? []
      : rankEmoji(all, text, uses, POPULAR).map((choice) => ({ ...choice, group: t('common.found') }));
  const shown = text === '' ? [...frequent, ...all] : found;
  const take = (choice: Choice): void => {
    noteEmoji(choice.code);
    const { emoji_name, emoji_code, reaction_type, hasTones } = choice;
    const emoji: Emoji = { emoji_name, emoji_code, reaction_type };
    if (hasTones && tone !== 0) choose(emoji, charactersOf(codeOf(choice)));
    else choose(emoji);
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
              {list.map((choice) => (
                <button
                  type="button"
                  key={choice.emoji_code}
                  title={choice.emoji_name}
                  aria-label={choice.emoji_name}
                  onClick={() => take(choice)}
                >
                  {choice.reaction_type === 'realm_emoji' ? (
                    <img
                      src={server.value.realm_emoji[choice.emoji_code]?.source_url}
                      alt=""
                      loading="lazy"
                    />
                  ) : (
                    charactersOf(codeOf(choice))
                  )}
                </button>
              ))}
            </div>
          </section>
        ))}
        {shown.length === 0 && <p class="quiet">{t('parts.noEmojiFound')}</p>}
      </div>
      {isForText && <SkinTones />}
    </div>
  );
}

const HAND = '270b';
const TONE_NAMES = [
  t('parts.defaultSkinTone'),
  t('parts.lightSkinTone'),
  t('parts.mediumLightSkinTone'),
  t('parts.mediumSkinTone'),
  t('parts.mediumDarkSkinTone'),
  t('parts.darkSkinTone'),
];

/** A hand in each skin tone; the choice is kept on this device. */
function SkinTones() {
  return (
    <fieldset class="skin-tones" aria-label={t('parts.skinTone')}>
      {SKIN_TONES.map((tone) => (
        <label key={tone} title={TONE_NAMES[tone]}>
          <input
            class="hidden-visually"
            type="radio"
            name="skin-tone"
            aria-label={TONE_NAMES[tone]}
            checked={skinTone.value === tone}
            onChange={() => chooseSkinTone(tone)}
          />
          <span aria-hidden="true">{charactersOf(withTone(HAND, tone))}</span>
        </label>
      ))}
    </fieldset>
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
  const unicode = table.flatMap(([code, group, tags, hasTones]): Choice[] => {
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
        hasTones: hasTones === 1,
      },
    ];
  });
  return [...custom, ...unicode];
}

function groupsOf(all: Choice[]): [string, Choice[]][] {
  const groups = new Map<string, Choice[]>();
  for (const choice of all) {
    const list = groups.get(choice.group);
    if (list) list.push(choice);
    else groups.set(choice.group, [choice]);
  }
  return [...groups];
}
