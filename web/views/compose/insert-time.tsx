import { serviceNowMs } from '#web/net/service-clock.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { DialogFoot } from '#web/parts/form.tsx';
import { soonOf } from '#web/parts/time.ts';
import { forInput } from '#web/parts/time-choice.tsx';
import { suggestTimes, timeMark } from '#web/state/suggest-times.ts';
import { t } from '#web/texts/texts.ts';
import type { Completion } from './completion.ts';

/** Times that each reader sees in their own zone, and the way to all others. */
export const completeTime = (): Completion[] => [
  ...suggestTimes(new Date(serviceNowMs())).map(({ label, atMs }) => ({
    key: label,
    label,
    note: soonOf(atMs / 1000),
    text: `${timeMark(new Date(atMs))} `,
  })),
  {
    key: 'other',
    label: t('compose.anotherTime'),
    note: t('compose.chooseDateAndHour'),
    text: '',
    prompt: chooseTime,
  },
];

/** Lets the viewer choose a time, and takes it as text of a message. */
export function chooseTime(take: (text: string) => void): void {
  const now = new Date(serviceNowMs());
  const nextHour = new Date(now).setHours(now.getHours() + 1, 0, 0, 0);
  openDialog(t('compose.insertATime'), (close) => (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const at = String(new FormData(event.currentTarget).get('at'));
        close();
        take(`${timeMark(new Date(at))} `);
      }}
    >
      <label class="field">
        {t('compose.dateAndTimeInYour')}
        <input
          class="input"
          type="datetime-local"
          name="at"
          required
          min="1900-01-01T00:00"
          max="9999-12-30T00:00"
          defaultValue={forInput(nextHour)}
        />
      </label>
      <p class="quiet">{t('compose.eachReaderSeesItIn')}</p>
      <DialogFoot cancel={close}>
        <button type="submit" class="button primary">
          {t('compose.insert')}
        </button>
      </DialogFoot>
    </form>
  ));
}
