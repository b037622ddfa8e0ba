import { useEffect, useState } from 'preact/hooks';
import { loadEmojiNames } from '#web/net/emoji.ts';
import type { Emoji } from '#web/net/message-actions.ts';
import { closeLayer, openLayer } from '#web/parts/layer.tsx';
import { t } from '#web/texts/texts.ts';

type Picker = typeof import('#web/parts/emoji-picker.tsx').EmojiPicker;

/** Opens the emoji picker beside a control. The picker is loaded when it is first used. */
export const pickEmoji = (anchor: Element, choose: (emoji: Emoji) => void): void =>
  openLayer(anchor, t('feed.emoji'), () => (
    <LatePicker
      choose={(emoji) => {
        closeLayer();
        choose(emoji);
      }}
    />
  ));

function LatePicker({ choose }: { choose: (emoji: Emoji) => void }) {
  const [loaded, setLoaded] = useState<{ Picker: Picker }>();
  useEffect(() => {
    // A field without its emoji would take words, and find nothing for them.
    void Promise.all([import('#web/parts/emoji-picker.tsx'), loadEmojiNames()]).then(([{ EmojiPicker }]) =>
      setLoaded({ Picker: EmojiPicker }),
    );
  }, []);
  if (!loaded) return <div class="emoji-picker" aria-busy="true" />;
  return <loaded.Picker choose={choose} />;
}
