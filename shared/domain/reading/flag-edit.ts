import { BadRequest } from '#shared/domain/errors.ts';
import { type RareFlag, rareFlags } from './marks.ts';

const editableFlags = ['read', ...rareFlags] as const;
/** Flags set by the service, which users cannot edit. */
const ownFlags = [
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
];

/** A flag that a user adds to or removes from messages. */
export interface FlagEdit {
  flag: 'read' | RareFlag;
  op: 'add' | 'remove';
}

/** @throws BadRequest for unknown flags and operations and ones that users may not use */
export function readFlagEdit(flag: string, op: string): FlagEdit {
  if (ownFlags.includes(flag)) throw new BadRequest(`Flag not editable: '${flag}'`);
  const editable = editableFlags.find((editableFlag) => editableFlag === flag);
  if (!editable) throw new BadRequest(`Invalid flag: '${flag}'`);
  if (op !== 'add' && op !== 'remove') throw new BadRequest(`Invalid message flag operation: '${op}'`);
  return { flag: editable, op };
}
