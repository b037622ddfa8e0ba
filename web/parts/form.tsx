import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { t } from '#web/texts/texts.ts';
import { useDialog } from './dialog-context.ts';
import { Icon } from './icon.tsx';

/** What went wrong, in a sentence that is read aloud. */
export function Failure({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p class="failure" role="alert">
      <Icon name="circle-alert" />
      {text}
    </p>
  );
}

/** A line of text that a form sends under a name. */
export function TextLine({
  label,
  name,
  longest,
  value,
  isRequired = false,
}: {
  label: string;
  name: string;
  longest: number;
  /** The initial value. */
  value?: string | undefined;
  isRequired?: boolean;
}) {
  return (
    <label class="field">
      {label}
      <input
        class="input"
        name={name}
        required={isRequired}
        maxLength={longest}
        autocomplete="off"
        dir="auto"
        defaultValue={value}
      />
    </label>
  );
}

/** The foot of a dialog with a form: cancels it, or submits it. */
export function DialogFoot({
  cancel,
  cancelLabel = t('parts.cancel'),
  children,
}: {
  cancel: () => void;
  cancelLabel?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <div class="dialog-foot">
      <button type="button" class="button" onClick={cancel}>
        {cancelLabel}
      </button>
      {children}
    </div>
  );
}

/** Returns what empties a form later, but for the texts that are changed until then. */
function emptied(form: HTMLFormElement): () => void {
  const fields = [
    ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=file]), textarea'),
  ];
  const sent = new Map(fields.map((field) => [field, field.value]));
  return () => {
    const changed = fields.flatMap((field) =>
      field.value === sent.get(field) ? [] : [[field, field.value] as const],
    );
    form.reset();
    for (const [field, text] of changed) field.value = text;
  };
}

/** A form that waits while it is sent, shows why it failed, and is emptied after success. */
export function Form({
  label,
  submit,
  cancel,
  cancelLabel,
  children,
  class: extra = 'form',
  isReady = true,
}: {
  label: string;
  submit: (fields: FormData) => Promise<unknown>;
  /** Leaves a dialog without sending; elsewhere there is nothing to leave. */
  cancel?: () => void;
  /** The words of the button that leaves, if they are not Cancel. */
  cancelLabel?: string;
  /** Whether there is something to send. */
  isReady?: boolean;
  children: ComponentChildren;
  class?: string;
}) {
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { endSending } = useDialog();
  const send = (
    <button type="submit" class="button primary" disabled={isBusy || !isReady}>
      {label}
    </button>
  );
  return (
    <form
      class={extra}
      aria-busy={isBusy}
      onSubmit={async (event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const empty = emptied(form);
        setBusy(true);
        setFailure('');
        try {
          await submit(new FormData(form));
          empty();
          endSending();
        } catch (reason) {
          setFailure(explain(reason));
          endSending(explain(reason));
        }
        setBusy(false);
      }}
    >
      {children}
      <Failure text={failure} />
      {cancel ? (
        <DialogFoot cancel={cancel} cancelLabel={cancelLabel}>
          {send}
        </DialogFoot>
      ) : (
        send
      )}
    </form>
  );
}

type Save<Value> = (value: Value) => Promise<unknown>;
type Outcome = 'none' | 'busy' | 'saved' | { failure: string };

/** Saves each change, and knows how the last one went. */
function useSaving<Value>(save: Save<Value>): [Outcome, (value: Value) => Promise<boolean>] {
  const [outcome, setOutcome] = useState<Outcome>('none');
  const run = async (value: Value): Promise<boolean> => {
    setOutcome('busy');
    try {
      await save(value);
      setOutcome('saved');
      return true;
    } catch (reason) {
      setOutcome({ failure: explain(reason) });
      return false;
    }
  };
  return [outcome, run];
}

function Saved({ outcome }: { outcome: Outcome }) {
  if (typeof outcome === 'object') return <Failure text={outcome.failure} />;
  return (
    <span class="saved" role="status">
      {outcome === 'saved' && t('parts.saved')}
    </span>
  );
}

interface Setting<Value> {
  label: string;
  hint?: string;
  value: Value;
  save: Save<Value>;
  isFixed?: boolean;
}

/** A setting that is on or off, saved when it is changed. */
export function Toggle({ label, hint, value, save, isFixed = false }: Setting<boolean>) {
  const [outcome, run] = useSaving(save);
  return (
    <div class="setting toggle">
      <label>
        <input
          type="checkbox"
          checked={value}
          disabled={isFixed}
          onChange={async (event) => {
            const box = event.currentTarget;
            if (!(await run(box.checked))) box.checked = value;
          }}
        />
        <span>
          {label}
          {hint && <small>{hint}</small>}
        </span>
      </label>
      <Saved outcome={outcome} />
    </div>
  );
}

/** A setting with one of some values, saved when it is changed. */
export function Choice<Value extends string | number | null>({
  label,
  hint,
  value,
  choices,
  save,
  isFixed = false,
}: Setting<Value> & { choices: readonly (readonly [Value, string])[] }) {
  const [outcome, run] = useSaving(save);
  return (
    <div class="setting">
      <label class="field">
        {label}
        <select
          class="input"
          disabled={isFixed}
          onChange={async ({ currentTarget: box }) => {
            const chosen = choices[box.selectedIndex];
            if (chosen && !(await run(chosen[0])))
              box.selectedIndex = choices.findIndex(([choice]) => choice === value);
          }}
        >
          {choices.map(([choice, name]) => (
            <option key={String(choice)} value={String(choice)} selected={choice === value}>
              {name}
            </option>
          ))}
        </select>
        {hint && <small>{hint}</small>}
      </label>
      <Saved outcome={outcome} />
    </div>
  );
}

/** A text, saved when the field is left or Enter is pressed; Escape restores the saved value. */
export function TextSetting({
  label,
  hint,
  value,
  save,
  isFixed = false,
  isLong = false,
  type = 'text',
}: Setting<string> & { isLong?: boolean; type?: 'text' | 'url' | 'email' | 'number' | 'date' }) {
  const [outcome, run] = useSaving(save);
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  /** The text that was saved, or shown, last. */
  const known = useRef(value);
  useLayoutEffect(() => {
    // A text that is being written stays.
    if (field.current?.value === known.current) field.current.value = value;
    known.current = value;
  }, [value]);
  const properties = {
    id,
    ref: field,
    class: 'input',
    dir: 'auto' as const,
    disabled: isFixed,
    defaultValue: value,
    onBlur: ({ currentTarget: box }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      if (box.value === value) return;
      known.current = box.value;
      void run(box.value);
    },
    onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      if (event.key === 'Escape') event.currentTarget.value = value;
      if (event.key !== 'Enter' || isLong) return;
      // Leaving the field saves it.
      event.currentTarget.blur();
      event.currentTarget.focus();
    },
  };
  return (
    <div class="setting">
      <div class="field">
        <label for={id}>{label}</label>
        {isLong ? <textarea rows={3} {...properties} /> : <input {...properties} type={type as 'text'} />}
        {hint && <small>{hint}</small>}
      </div>
      <Saved outcome={outcome} />
    </div>
  );
}
