import { useSignal } from '@preact/signals';
import { loadEmojiNames } from '#web/net/emoji.ts';
import type { Emoji } from '#web/net/message-actions.ts';
import { clearStatus, setStatus, setVisible } from '#web/net/own-status.ts';
import { server, useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { DialogFoot } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { thisMinute } from '#web/parts/time.ts';
import { statusEnds } from '#web/state/status-times.ts';
import { t } from '#web/texts/texts.ts';
import { pickEmoji } from '#web/views/feed/pick-emoji.tsx';
import { EmojiSign } from '#web/views/feed/reactions.tsx';

export const openStatus = (): void => openDialog(t('shell.setYourStatus4'), () => <StatusForm />);

const unicode = (emoji_name: string, emoji_code: string): Emoji => ({
  ...{ emoji_name, emoji_code, reaction_type: 'unicode_emoji' },
});

const SUGGESTIONS: readonly (readonly [Emoji, string])[] = [
  [unicode('calendar', '1f4c5'), t('shell.inAMeeting')],
  [unicode('bus', '1f68c'), t('shell.commuting')],
  [unicode('hurt', '1f915'), t('shell.outSick')],
  [unicode('palm_tree', '1f334'), t('shell.onVacation')],
  [unicode('house', '1f3e0'), t('shell.workingFromHome')],
];

const MOST_LETTERS = 60;

function StatusForm() {
  const close = useClose();
  const own = server.value.user_status[server.value.user_id];
  const text = useSignal(own?.status_text ?? '');
  const emoji = useSignal<Emoji | undefined>(
    own?.emoji_name && own.emoji_code
      ? ({
          emoji_name: own.emoji_name,
          emoji_code: own.emoji_code,
          reaction_type: own.reaction_type ?? 'unicode_emoji',
        } as Emoji)
      : undefined,
  );
  const end = useSignal(0);
  const isVisible = useServer(({ user_settings }) => user_settings.presence_enabled);
  const ends = statusEnds(thisMinute());
  void loadEmojiNames();
  const save = async (): Promise<void> => {
    if (await setStatus(text.value.trim(), emoji.value, ends[end.value]?.[1])) close();
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="status-field">
        <button
          type="button"
          class="icon-button"
          aria-label={
            emoji.value
              ? t('shell.emojiEmojiName', { emojiName: emoji.value.emoji_name })
              : t('shell.chooseAnEmoji')
          }
          onClick={(event) =>
            pickEmoji(event.currentTarget, (choice) => {
              emoji.value = choice;
            })
          }
        >
          {emoji.value ? <EmojiSign emoji={emoji.value} /> : <Icon name="face-slightly-smiling-plus" />}
        </button>
        <input
          class="input"
          aria-label={t('shell.whatsYourStatus')}
          placeholder={t('shell.whatsYourStatus')}
          dir="auto"
          maxLength={MOST_LETTERS}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </div>
      <div class="time-suggestions">
        {SUGGESTIONS.map(([sign, words]) => (
          <button
            type="button"
            class="menu-item"
            key={words}
            onClick={() => {
              emoji.value = sign;
              text.value = words;
            }}
          >
            <EmojiSign emoji={sign} />
            <span>{words}</span>
          </button>
        ))}
      </div>
      <label class="field">
        {t('shell.clearAfter')}
        <select
          class="input"
          value={end.value}
          onChange={(event) => {
            end.value = event.currentTarget.selectedIndex;
          }}
        >
          {ends.map(([name], index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={!isVisible}
          onChange={(event) => void setVisible(!event.currentTarget.checked)}
        />
        <span>
          {t('shell.goInvisible')} <small class="quiet">{t('shell.othersSeeYouAsOffline')}</small>
        </span>
      </label>
      <DialogFoot cancel={close}>
        {own?.status_text || own?.emoji_name ? (
          <button
            type="button"
            class="button"
            onClick={() => void clearStatus().then((isClear) => isClear && close())}
          >
            {t('shell.clearStatus')}
          </button>
        ) : null}
        <button type="submit" class="button primary">
          {t('common.save')}
        </button>
      </DialogFoot>
    </form>
  );
}
