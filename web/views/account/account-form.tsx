import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { Icon } from '#web/parts/icon.tsx';

/** A form of one column that shows why it failed, and waits while it is sent. */
export function AccountForm({
  label,
  submit,
  children,
}: {
  label: string;
  submit: (fields: FormData) => Promise<void>;
  children: ComponentChildren;
}) {
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  return (
    <form
      class="account-form"
      onSubmit={async (event) => {
        event.preventDefault();
        setBusy(true);
        setFailure('');
        try {
          await submit(new FormData(event.currentTarget));
        } catch (reason) {
          setFailure(explain(reason));
        }
        setBusy(false);
      }}
    >
      {children}
      {failure !== '' && (
        <p class="failure" role="alert">
          <Icon name="circle-alert" />
          {failure}
        </p>
      )}
      <button type="submit" class="button primary" disabled={isBusy}>
        {label}
      </button>
    </form>
  );
}

export function Field({
  name,
  label,
  type = 'text',
  autocomplete,
  hint,
  value,
  isReadOnly = false,
  minLength,
}: {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  value?: string;
  isReadOnly?: boolean;
  minLength?: number;
}) {
  return (
    <label class="field">
      {label}
      <input
        class="input"
        name={name}
        // The types of inputs forbid a type that is not known while the code is written.
        type={type as 'text'}
        required
        autocomplete={autocomplete}
        defaultValue={value}
        readOnly={isReadOnly}
        minLength={minLength}
      />
      {hint && <small>{hint}</small>}
    </label>
  );
}
