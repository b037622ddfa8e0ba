import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { showNotice } from '#web/net/store.ts';
import type { Folder } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { randomId } from '../random-id.ts';

/** @throws ApiError in the words of the service */
export const addFolder = (name: string, description: string): Promise<unknown> =>
  call('POST', '/channel_folders/create', { name, description }, { idempotencyKey: randomId() });

/** @throws ApiError in the words of the service */
export const editFolder = (id: number, changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', `/channel_folders/${id}`, changes);

/** Orders all folders, the archived ones included. */
export const orderFolders = (ids: number[]): Promise<boolean> =>
  attempt(t('organization.theOrderStaysAsIt'), () => call('PATCH', '/channel_folders', { order: ids }));

export const restoreFolder = ({ id, name }: Folder): Promise<boolean> =>
  attempt(t('organization.nameStaysArchived', { name }), () => editFolder(id, { is_archived: false }));

/** Archives a folder without channels; the notice offers to bring it back. */
export async function archiveFolder(folder: Folder): Promise<void> {
  const { id, name } = folder;
  if (
    !(await attempt(t('organization.nameWasNotArchived', { name }), () =>
      editFolder(id, { is_archived: true }),
    ))
  )
    return;
  showNotice(t('organization.theFolderNameIsArchived', { name }), {
    label: t('common.undo'),
    run: () => void restoreFolder(folder),
  });
}
