import { charactersOf, emojiNames, POPULAR } from '#web/net/emoji.ts';
import { noteEmoji, readEmojiUses } from '#web/net/emoji-uses.ts';
import { toggleReaction } from '#web/net/message-actions.ts';
import { wordsOf } from '#web/net/notifying.ts';
import { nameOfPerson } from '#web/net/store.ts';
import { IconButton } from '#web/parts/icon.tsx';
import { closeLayer, Menu, openLayer } from '#web/parts/layer.tsx';
import { frequentEmoji } from '#web/state/emoji-search.ts';
import type { Narrow } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { messageItems } from './message-menu.tsx';
import { pickEmoji } from './pick-emoji.tsx';

const REACTIONS = 6;

/** The sheet of a message held on a telephone: its text, six reactions, and its menu. */
export const openMessageSheet = (row: Element, message: Message, narrow: Narrow): void =>
  openLayer(row, t('common.message'), () => <Sheet row={row} message={message} narrow={narrow} />);

function Sheet({ row, message, narrow }: { row: Element; message: Message; narrow: Narrow }) {
  const codes = [...new Set([...frequentEmoji(readEmojiUses(), REACTIONS), ...POPULAR])]
    .filter((code) => emojiNames.value.has(code))
    .slice(0, REACTIONS);
  const react = (code: string): void => {
    closeLayer();
    noteEmoji(code);
    const [name = ''] = emojiNames.value.get(code) ?? [];
    void toggleReaction(message, { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' });
  };
  return (
    <>
      <div class="sheet-words">
        <b dir="auto">{nameOfPerson(message.sender_id)}</b>
        <span dir="auto">{wordsOf(message)}</span>
      </div>
      <div class="sheet-reactions" role="toolbar" aria-label={t('feed.reactionsToChoose')}>
        {codes.map((code) => (
          <button
            type="button"
            key={code}
            aria-label={emojiNames.value.get(code)?.[0] ?? ''}
            onClick={() => react(code)}
          >
            {charactersOf(code)}
          </button>
        ))}
        <IconButton
          icon="face-slightly-smiling-plus"
          label={t('feed.moreReactions')}
          onClick={() => {
            closeLayer();
            pickEmoji(row, (emoji) => void toggleReaction(message, emoji));
          }}
        />
      </div>
      <Menu items={messageItems(message, narrow)} />
    </>
  );
}
