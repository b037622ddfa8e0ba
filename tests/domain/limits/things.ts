import { requestChange } from '#shared/domain/exports/changes.ts';
import type { DataExport } from '#shared/domain/exports/export.ts';
import { type ProfileField, type ProfileFieldType, profileFieldTypes } from '#shared/domain/profile/field.ts';
import type { Account } from '#shared/domain/users/user.ts';

export const account = { userId: 10, hasAlertWords: true } as Account;

export const field = (id: number, type: ProfileFieldType = profileFieldTypes.shortText): ProfileField => ({
  ...{ id, type, name: `field ${id}`, hint: '', fieldData: '' },
  ...{ displayInProfileSummary: false, required: false, editableByUser: true, useForUserMatching: false },
});

export const linkifier = {
  pattern: '#(?P<id>[0-9]+)',
  urlTemplate: 'https://example.com/{id}',
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
};

/** How a device of Google registers. */
export const registration = {
  token_kind: 'fcm' as const,
  token_id: Buffer.alloc(8).toString('base64'),
  bouncer_public_key: 'key',
  encrypted_push_registration: 'data',
};

/** A push key of so many bytes, the first of which names its kind. */
export const pushKeyOf = (length: number, first: number): string =>
  Buffer.from([first, ...Array.from({ length: length - 1 }, () => 0)]).toString('base64');

export const WEEK_MS = 7 * 24 * 3600 * 1000;
/** When exports are requested. */
export const NOW_MS = 10 * WEEK_MS;

export const exportOf = (exportId: number, requestedAtMs = 0): DataExport => ({
  ...{ exportId, actorId: 10, type: 'public', requestedAtMs, status: 'failed', addressKey: '' },
});

/** Requests an export while these exist. */
export const requestAfter = (exports: DataExport[]) =>
  requestChange(
    { exports, lastId: 100, revision: 0 },
    { actorId: 10, type: 'public', requestedAtMs: NOW_MS, addressKey: '' },
    () => null,
  );
