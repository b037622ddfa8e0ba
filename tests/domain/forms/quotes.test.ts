import { describe, expect, test } from 'vitest';
import { readRetentionDays } from '#shared/domain/channels/create.ts';
import { withContent } from '#shared/domain/messages/editing/edit-content.ts';
import { quotable } from '#shared/domain/messages/quote.ts';
import { isMeMessage } from '#shared/domain/messages/record.ts';
import { describeReport } from '#shared/domain/messages/report.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/users/user.ts';
import { channelMessage, directMessage } from '#tests/harness/samples.ts';

const message = channelMessage({ messageId: 5, senderId: 2, channelId: 7, topic: 'Logo' });
const CUT = '\n[message truncated]';

describe('A quoted message', () => {
  const quoted = (content: string, beside: string, most?: number) =>
    quotable({ ...message, content }, beside, most);

  test('Gets cut to the room beside the other text, its fences and the note of the cut', () => {
    const long = 'x'.repeat(10_000);
    expect(quoted(long, '')).toBe('x'.repeat(10_000 - 24 - CUT.length) + CUT);
    expect(quoted(long, '😀'.repeat(1_000))).toBe('x'.repeat(9_000 - 24 - CUT.length) + CUT);
    const fenced = `\`\`\`\`\`${long}`;
    expect(quoted(fenced, '')).toBe(fenced.slice(0, 10_000 - 30 - CUT.length) + CUT);
    expect(quoted(long, 'y'.repeat(10_000))).toBe(CUT);
  });

  test('Gets cut to its allowed characters, and stays whole if it has at most these', () => {
    expect(quoted('😀'.repeat(50), '', 50)).toBe('😀'.repeat(50));
    expect(quoted('😀'.repeat(51), '', 50)).toBe('😀'.repeat(50) + CUT);
  });
});

test('A report of a direct message names twenty people, and counts the others', () => {
  const organization = { url: 'https://chat.example.com' } as Organization;
  const reporter = { userId: 9, fullName: 'Ada' } as User;
  const people = (count: number) => {
    const others = Array.from({ length: count }, (_, n) => n + 10);
    const report = describeReport(organization, reporter, directMessage(5, 2, others), {
      ...{ type: 'spam', description: '' },
    });
    const [, list = ''] = / to (.*) at <time/.exec(report) ?? [];
    return [list.match(/@_\*\*/g)?.length, list.split(', ').at(-1)];
  };
  expect(people(20)).toEqual([20, 'and @_**User 29|29**']);
  expect(people(21)).toEqual([20, 'and 1 others']);
  expect(people(25)).toEqual([20, 'and 5 others']);
  const [, sent] =
    / sent by (.*) at /.exec(
      describeReport(organization, reporter, directMessage(5, 2, [10]), { type: 'spam', description: '' }),
    ) ?? [];
  expect(sent).toBe('@_**Someone|2**');
});

test('A message shows the action of its author if its only line begins with /me and a space', () => {
  const texts = ['/me waves', '/me waves\nand leaves', '/me', '/mea culpa', 'so /me waves'];
  expect(texts.map(isMeMessage)).toEqual([true, false, false, false, false]);
});

test('A message counts its earlier texts up to the fifty that are kept', () => {
  const text = { content: 'x', html: '<p>x</p>' };
  const counts = [undefined, 1, 49, 50].map(
    (keptEdits) =>
      withContent({ ...message, ...(keptEdits !== undefined && { keptEdits }) }, text, 9).keptEdits,
  );
  expect(counts).toEqual([1, 2, 50, 50]);
});

test('Messages of a channel are kept for one day at least', () => {
  expect(readRetentionDays(1)).toBe(1);
  for (const days of [0, -1, 'forever'])
    expect(() => readRetentionDays(days)).toThrow(`Bad value for 'message_retention_days': ${days}`);
  expect([undefined, 'realm_default', 'unlimited'].map(readRetentionDays)).toEqual([null, null, -1]);
});
