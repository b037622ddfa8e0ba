import { useEffect, useRef } from 'preact/hooks';
import { holdEdit, type OpenEdit, uploadsOf } from '#web/net/edit-uploads.ts';
import { IconButton } from '#web/parts/icon.tsx';
import type { Edit } from '#web/state/feed/edits.ts';
import { t } from '#web/texts/texts.ts';

/** Lets the uploads of an edit write into its box while that is open. */
export function useOpenEdit(messageId: number, edit: Edit | undefined, change: OpenEdit['change']): void {
  const box = useRef<OpenEdit>({ edit, change }).current;
  Object.assign(box, { edit, change });
  useEffect(() => holdEdit(messageId, box), [messageId]);
}

/** The uploads of an edit. */
export function EditUploads({ messageId }: { messageId: number }) {
  return uploadsOf(messageId).map(({ file: { name }, part, abort }, index) => (
    <div class="tray-note" key={`${name} ${index}`}>
      <span dir="auto">{name}</span>
      <progress aria-label={t('compose.uploadingName', { name })} value={part} max={1} />
      <IconButton
        icon="x"
        label={t('compose.cancelUploadOfName', { name })}
        onClick={({ currentTarget }) => {
          currentTarget.closest('form')?.querySelector('textarea')?.focus();
          abort.abort();
        }}
      />
    </div>
  ));
}
