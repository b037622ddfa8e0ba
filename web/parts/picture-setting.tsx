import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { rich, t } from '#web/texts/texts.ts';
import { Failure } from './form.tsx';
import { Icon } from './icon.tsx';

/** A picture that can be replaced and removed. A chosen file is shown before it is kept. */
export function PictureSetting({
  label,
  hint,
  children,
  save,
  remove,
  isFixed = false,
  class: extra = '',
}: {
  label: string;
  hint?: string;
  /** The picture of now. */
  children: ComponentChildren;
  save: (picture: File) => Promise<unknown>;
  /** Left out if there is nothing to remove. */
  remove?: (() => Promise<unknown>) | undefined;
  isFixed?: boolean;
  class?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File>();
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const choose = (file: File | undefined): void => {
    setChosen(file);
    setFailure('');
    if (!file && input.current) input.current.value = '';
  };
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await work();
      choose(undefined);
    } catch (reason) {
      setFailure(explain(reason));
    }
    setBusy(false);
  };
  return (
    <fieldset class={`picture-setting ${extra}`} aria-label={label}>
      {chosen ? <Preview file={chosen} /> : children}
      <div class="picture-text">
        <span>{label}</span>
        {hint && <small>{hint}</small>}
        <Failure text={failure} />
        {!isFixed && (
          <div class="button-line">
            {chosen && (
              <button
                type="button"
                class="button primary"
                disabled={isBusy}
                onClick={() => void run(() => save(chosen))}
              >
                {t('parts.useThisPicture')}
              </button>
            )}
            <label class="button">
              <input
                ref={input}
                class="hidden-visually"
                type="file"
                accept="image/*"
                aria-label={t('parts.chooseLabel', { label })}
                onChange={(event) => choose(event.currentTarget.files?.[0])}
              />
              <Icon name="upload" /> {chosen ? t('parts.chooseAnother') : t('parts.chooseAPicture')}
            </label>
            {chosen && (
              <button type="button" class="button" onClick={() => choose(undefined)}>
                {t('parts.cancel')}
              </button>
            )}
            {!chosen && remove && (
              <button type="button" class="button" disabled={isBusy} onClick={() => void run(remove)}>
                {rich('parts.removeThePicture', {
                  label,
                  hidden: (what) => <span class="hidden-visually">{what}</span>,
                })}
              </button>
            )}
          </div>
        )}
      </div>
    </fieldset>
  );
}

function Preview({ file }: { file: File }) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address === '' ? null : <img class="avatar picture-preview" src={address} alt={t('parts.chosen')} />;
}
