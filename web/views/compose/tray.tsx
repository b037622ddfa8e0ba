import { useEffect, useState } from 'preact/hooks';
import {
  type Attachment,
  isBusy,
  isRunning,
  keepEditing,
  removeFile,
  retryFile,
  type Tray as TrayState,
} from '#web/net/attachments.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { divideName } from '#web/state/attachments.ts';
import { currentLocale, t } from '#web/texts/texts.ts';

/** The files of the message, above its text. */
export function Tray({ tray }: { tray: TrayState }) {
  const { conversation, items } = tray;
  const done = items.filter(({ status }) => status === 'done').length;
  return (
    <div class="tray">
      <ul class="tray-files" aria-label={t('compose.attachments')}>
        {items.map((item) => (
          <Card key={item.id} item={item} />
        ))}
      </ul>
      <p class="hidden-visually" role="status">
        {t('compose.doneOfCountFilesUploaded', { done, count: items.length })}
      </p>
      {items.map((item) => item.status === 'refused' && <Refusal key={item.id} item={item} />)}
      {items.some(({ status }) => status === 'paused') && (
        <p class="tray-note" role="status">
          <Icon name="wifi-off" />
          {t('compose.waitingForAConnection')}
        </p>
      )}
      {tray.send && isBusy(tray) && (
        <div class="tray-note">
          <span role="status">{t('compose.yourMessageWillBeSent')}</span>
          <button type="button" class="button" onClick={() => keepEditing(conversation)}>
            {t('compose.keepEditing')}
          </button>
        </div>
      )}
    </div>
  );
}

function Card({ item }: { item: Attachment }) {
  const { name, status, part, file } = item;
  const [start, end] = divideName(name);
  return (
    <li class={`attachment ${status}`}>
      <div class="attachment-picture">
        <Picture item={item} />
        {isRunning(item) && (
          <progress aria-label={t('compose.uploadingName', { name })} value={part} max={1} />
        )}
      </div>
      <span class="attachment-name" title={name} dir="auto">
        <span>{start}</span>
        <span>{end}</span>
      </span>
      {file && <span class="attachment-size">{sizeOf(file.size)}</span>}
      <IconButton
        icon="x"
        label={
          isRunning(item) ? t('compose.cancelUploadOfName', { name }) : t('compose.removeName', { name })
        }
        onClick={({ currentTarget }) => {
          focusBeside(currentTarget);
          removeFile(item);
        }}
      />
    </li>
  );
}

/** Focuses the next file, or the text after the last one. */
function focusBeside(button: HTMLButtonElement): void {
  const card = button.closest('li');
  const other = card?.nextElementSibling ?? card?.previousElementSibling;
  const next = other?.querySelector('button') ?? document.getElementById('compose-text');
  next?.focus();
}

/** A small form of a picture, or the icon of a file. */
function Picture({ item: { isPicture, status, file, url } }: { item: Attachment }) {
  const [source, setSource] = useState<string | undefined>();
  const [hasFailed, setFailed] = useState(false);
  const isShown = isPicture && status !== 'refused' && !hasFailed;
  useEffect(() => {
    setFailed(false);
    if (!file) return setSource(url);
    const made = URL.createObjectURL(file);
    setSource(made);
    return () => URL.revokeObjectURL(made);
  }, [file, file ? undefined : url]);
  if (isShown && source !== undefined)
    return <img src={source} alt="" decoding="async" onError={() => setFailed(true)} />;
  return <Icon name={status === 'refused' ? 'circle-alert' : 'file'} size={20} />;
}

function Refusal({ item }: { item: Attachment }) {
  return (
    <div class="tray-note failure" role="alert">
      <span>{item.reason}</span>
      {item.mayRetry && (
        <button type="button" class="button" onClick={() => retryFile(item)}>
          {t('feed.tryAgain')}
        </button>
      )}
    </div>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in words of the language, as `2.4 MB`. The limits of the service count 1024 bytes as one KB. */
function sizeOf(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  return new Intl.NumberFormat(currentLocale(), {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && step > 1 ? 1 : 0,
  }).format(value);
}
