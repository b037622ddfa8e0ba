import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { showNotice } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { randomId } from '../random-id.ts';

/** Times are seconds since 1970. */
export interface DataExport {
  id: number;
  acting_user_id: number;
  export_time: number;
  deleted_timestamp: number | null;
  failed_timestamp: number | null;
  export_url: string | null;
  pending: boolean;
  export_type: string;
}

export interface Consent {
  user_id: number;
  consented: boolean;
}

/** What an export holds, by the names of the protocol. */
export const EXPORT_KINDS: readonly (readonly [kind: string, name: string, isForOwners: boolean])[] = [
  ['public', t('organization.whatEveryMemberMaySee'), false],
  ['full_with_consent', t('organization.andWhatIsPrivateTo'), false],
  ['full_without_consent', t('organization.everything'), true],
];

/** @throws ApiError in the words of the service */
export const startExport = (kind: string): Promise<unknown> =>
  call('POST', '/export/realm', { export_type: kind }, { idempotencyKey: randomId() });

export async function deleteExport({ id }: DataExport): Promise<void> {
  if (await attempt(t('organization.theArchiveWasNotDeleted'), () => call('DELETE', `/export/realm/${id}`)))
    showNotice(t('organization.theArchiveIsDeleted'));
}
