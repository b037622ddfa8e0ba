import { type GroupSetting, isSameSetting } from '#shared/domain/user-groups/group-setting.ts';
import type { Channel } from './channel.ts';

/** A message of the notification bot about a change of a channel. */
export type Note =
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'description'; from: string; to: string }
  | { kind: 'privacy'; from: string; to: string }
  | { kind: 'posting'; from: GroupSetting; to: GroupSetting }
  | { kind: 'archived' | 'unarchived'; name: string };

export function notesOf(previous: Channel, next: Channel): Note[] {
  const [from, to] = [policyName(previous), policyName(next)];
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
export function noteText(note: Note, actor: string, nameOf: (setting: GroupSetting) => string): string {
  switch (note.kind) {
    case 'rename':
      return `${actor} renamed channel **${note.from}** to **${note.to}**.`;
    case 'description':
      return [
        `${actor} changed the description for this channel.`,
        '',
        '* **Old description:**',
        quote(note.from),
        '* **New description:**',
        quote(note.to),
      ].join('\n');
    case 'privacy':
      return `${actor} changed the access permissions for this channel from **${note.from}** to **${note.to}**.`;
    case 'posting':
      return [
        `${actor} changed the posting permissions for this channel:`,
        '',
        `* **Old permissions**: ${nameOf(note.from)}.`,
        `* **New permissions**: ${nameOf(note.to)}.`,
      ].join('\n');
    case 'archived':
      return `Channel #**${note.name}** has been archived.`;
    case 'unarchived':
      return `Channel #**${note.name}** has been unarchived.`;
  }
}

/** A quoted description, fenced so that its text cannot end the block. */
export function quote(description: string): string {
  const text = description === '' ? '*No description.*' : description;
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}quote`, text, fence].join('\n');
}

/** The bot's words for the privacy of a channel. */
export function policyName({ isWebPublic, isPrivate, isHistoryPublic }: Channel): string {
  if (isWebPublic) return 'Web-public';
  if (!isPrivate) return 'Public';
  return isHistoryPublic ? 'Private, shared history' : 'Private, protected history';
}
