import type { RefObject } from 'preact';
import { noteEmoji } from '#web/net/emoji-uses.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { t } from '#web/texts/texts.ts';
import { EmojiSign } from '../feed/reactions.tsx';
import type { Completion } from './completion.ts';
import type { ComposeState } from './compose.tsx';
import { writeInto } from './text.ts';

/** Puts a completion in the place of the word that was begun. */
export function takeCompletion(
  field: HTMLTextAreaElement,
  state: ComposeState,
  completion: Completion,
): void {
  const to = field.selectionStart;
  const from = state.completions.value?.from ?? to;
  state.completions.value = undefined;
  const take = (text: string): void => writeInto(field, text, from, to);
  if (completion.emoji) noteEmoji(completion.emoji.emoji_code);
  if (completion.prompt) completion.prompt(take);
  else take(completion.text);
}

export function CompletionList({
  state,
  field,
}: {
  state: ComposeState;
  field: RefObject<HTMLTextAreaElement | null>;
}) {
  const { completions, chosen } = state;
  if (!completions.value) return null;
  return (
    <div class="completions" id="completions" role="listbox" aria-label={t('compose.suggestions')}>
      {completions.value.list.map((completion, index) => (
        <button
          type="button"
          role="option"
          tabIndex={-1}
          key={completion.key}
          aria-selected={index === chosen.value}
          class="menu-item"
          onPointerDown={(event) => {
            event.preventDefault();
            if (field.current) takeCompletion(field.current, state, completion);
          }}
        >
          {completion.userId !== undefined && <Avatar userId={completion.userId} size={20} />}
          {completion.emoji && <EmojiSign emoji={completion.emoji} />}
          <span>{completion.label}</span>
          <span class="quiet">{completion.note}</span>
        </button>
      ))}
    </div>
  );
}
