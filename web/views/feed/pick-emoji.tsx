import { useEffect, useState } from 'preact/hooks';
import { loadEmojiNames } from '#web/net/emoji.ts';
import type { Emoji } from '#web/net/message-actions.ts';
import { closeLayer, openLayer } from '#web/parts/layer.tsx';
import { t } from '#web/texts/texts.ts';

type Picker = typeof import('#web/parts/emoji-picker.tsx').EmojiPicker;

/** Opens the emoji picker beside a control. The picker is loaded when it is first used. */
export const pickEmoji = (anchor: Element, choose: (emoji: Emoji) => void): void =>
  openPicker(anchor, choose, false);

/** Opens the picker for a text: returns the name between colons, or the characters if it has a skin tone. */
export const pickEmojiText = (anchor: Element, choose: (text: string) => void): void =>
  openPicker(anchor, ({ emoji_name }, characters) => choose(characters ?? `:${emoji_name}:`), true);

type Choose = (emoji: Emoji, characters?: string) => void;

function openPicker(anchor: Element, choose: Choose, isForText: boolean): void {
  openLayer(anchor, t('feed.emoji'), () => (
    <LatePicker
      isForText={isForText}
      choose={(...chosen) => {
        closeLayer();
        choose(...chosen);
      }}
    />
  ));
}

function LatePicker(props: { choose: Choose; isForText: boolean }) {
  const [loaded, setLoaded] = useState<{ Picker: Picker }>();
  useEffect(() => {
    // A field without its emoji would take words, and find nothing for them.
    void Promise.all([import('#web/parts/emoji-picker.tsx'), loadEmojiNames()]).then(([{ EmojiPicker }]) =>
      setLoaded({ Picker: EmojiPicker }),
    );
  }, []);
  if (!loaded) return <div class="emoji-picker" aria-busy="true" />;
  return <loaded.Picker {...props} />;
}
