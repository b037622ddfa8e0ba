import type { Say, TextKey } from '#shared/domain/texts/texts.ts';
import { type GroupSetting, isSameSetting } from '#shared/domain/user-groups/group-setting.ts';
import type { Channel } from './channel.ts';

/** A message of the notification bot about a change of a channel. */
export type Note =
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'description'; from: string; to: string }
  | { kind: 'privacy'; from: Privacy; to: Privacy }
  | { kind: 'posting'; from: GroupSetting; to: GroupSetting }
  | { kind: 'archived' | 'unarchived'; name: string };

export function notesOf(previous: Channel, next: Channel): Note[] {
  const [from, to] = [privacyOf(previous), privacyOf(next)];
  const [before, after] = [previous.groups.can_send_message_group, next.groups.can_send_message_group];
  const notes: (Note | false)[] = [
    previous.isArchived && !next.isArchived && { kind: 'unarchived', name: next.name },
    previous.name !== next.name && { kind: 'rename', from: previous.name, to: next.name },
    previous.description !== next.description && {
      kind: 'description',
      from: previous.description,
      to: next.description,
    },
    from !== to && { kind: 'privacy', from, to },
    !isSameSetting(before, after) && { kind: 'posting', from: before, to: after },
    !previous.isArchived && next.isArchived && { kind: 'archived', name: next.name },
  ];
  return notes.filter((note) => note !== false);
}

/** The text of a note; `nameOf` names the groups. */
export function noteText(
  note: Note,
  person: string,
  nameOf: (setting: GroupSetting) => string,
  say: Say,
): string {
  switch (note.kind) {
    case 'rename':
      return say('channels.renamed', { person, before: note.from, after: note.to });
    case 'description':
      return [
        say('channels.described', { person }),
        '',
        `* **${say('channels.oldDescription')}**`,
        quote(note.from, say),
        `* **${say('channels.newDescription')}**`,
        quote(note.to, say),
      ].join('\n');
    case 'privacy':
      return say('channels.privacyChanged', {
        person,
        before: privacyName(note.from, say),
        after: privacyName(note.to, say),
      });
    case 'posting':
      return [
        say('channels.postingChanged', { person }),
        '',
        `* ${say('channels.oldPermissions', { who: nameOf(note.from) })}`,
        `* ${say('channels.newPermissions', { who: nameOf(note.to) })}`,
      ].join('\n');
    case 'archived':
      return say('channels.archived', { channel: note.name });
    case 'unarchived':
      return say('channels.unarchived', { channel: note.name });
  }
}

/** A quoted description, fenced so that its text cannot end the block. */
export function quote(description: string, say: Say): string {
  const text = description === '' ? `*${say('channels.noDescription')}*` : description;
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}quote`, text, fence].join('\n');
}

const PRIVACIES = {
  'Web-public': 'channels.webPublic',
  Public: 'channels.public',
  'Private, shared history': 'channels.sharedHistory',
  'Private, protected history': 'channels.protectedHistory',
} as const satisfies Record<string, TextKey>;

/** How jobs name the privacy of a channel. */
export type Privacy = keyof typeof PRIVACIES;

/** The privacy of a channel. */
export function privacyOf({ isWebPublic, isPrivate, isHistoryPublic }: Channel): Privacy {
  if (isWebPublic) return 'Web-public';
  if (!isPrivate) return 'Public';
  return isHistoryPublic ? 'Private, shared history' : 'Private, protected history';
}

/** The bot's words for the privacy of a channel. */
export const privacyName = (privacy: Privacy, say: Say): string => say(PRIVACIES[privacy]);
