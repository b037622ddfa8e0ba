import { sameTimeTomorrow, suggestTimes } from '#web/state/suggest-times.ts';
import { t } from '#web/texts/texts.ts';
import { soonOf, thisMinute } from './time.ts';

/** A time as fields of date and time take it, in the zone of the browser. */
export const forInput = (ms: number): string => {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** Times to choose with one press, in seconds since 1970. */
export function TimeSuggestions({ choose }: { choose: (atSeconds: number) => void }) {
  return (
    <div class="time-suggestions">
      {suggestTimes(thisMinute()).map(({ label, atMs }) => (
        <button type="button" class="menu-item" key={label} onClick={() => choose(Math.floor(atMs / 1000))}>
          <span>{label}</span>
          <span class="quiet">{soonOf(atMs / 1000)}</span>
        </button>
      ))}
    </div>
  );
}

/** Lets the viewer choose a future time; returns it in seconds since 1970. `label` names the action of that time. */
export function TimeChoice({ label, choose }: { label: string; choose: (atSeconds: number) => void }) {
  return (
    <div class="stack">
      <TimeSuggestions choose={choose} />
      <form
        class="time-form"
        onSubmit={(event) => {
          event.preventDefault();
          const at = String(new FormData(event.currentTarget).get('at'));
          choose(Math.floor(new Date(at).getTime() / 1000));
        }}
      >
        <label class="field">
          {t('parts.atAnotherTime')}
          <input
            class="input"
            type="datetime-local"
            name="at"
            required
            min={forInput(thisMinute().getTime() + 60_000)}
            defaultValue={forInput(sameTimeTomorrow(thisMinute()))}
          />
        </label>
        <button type="submit" class="button primary">
          {label}
        </button>
      </form>
    </div>
  );
}
