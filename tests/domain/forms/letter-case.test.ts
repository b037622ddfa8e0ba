import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newFolderChange } from '#shared/domain/channels/folder-changes.ts';
import { checkEmojiName } from '#shared/domain/emoji/changes.ts';
import { listAddresses, listTaken } from '#shared/domain/invitations/addresses.ts';
import { creationChange } from '#shared/domain/invitations/changes.ts';
import type { Invitation } from '#shared/domain/invitations/invitation.ts';
import { readAddress } from '#shared/domain/messages/destination.ts';
import { readEditedContent, requireExpected } from '#shared/domain/messages/editing/edit-content.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import { checkDomain, requireAllowedAddress } from '#shared/domain/organization/domains.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { createField } from '#shared/domain/profile/edit-fields.ts';
import { type ProfileField, profileFieldTypes } from '#shared/domain/profile/field.ts';
import { checkNewAddress, checkOwnName } from '#shared/domain/settings/own-identity.ts';
import { readMediaType } from '#shared/domain/uploads/media-type.ts';
import { checkGroupName } from '#shared/domain/user-groups/names.ts';
import { avatarUrl } from '#shared/domain/users/avatar.ts';
import { checkEmail, checkFullName } from '#shared/domain/users/create.ts';
import { requireUniqueName } from '#shared/domain/users/unique-name.ts';
import { requireNoDummy, roles, type User } from '#shared/domain/users/user.ts';
import { widgetOf } from '#shared/domain/widgets/widget.ts';
import { isKnownAs } from '#shared/store/users/addresses.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';

const user = (userId: number, given: Partial<User> = {}): User => ({
  ...({
    userId,
    email: `u${userId}@x.org`,
    fullName: `U ${userId}`,
    role: roles.member,
    avatarVersion: 1,
  } as User),
  ...given,
});
const restricted = (domains: Record<string, boolean>) =>
  ({ domains, settings: { emails_restricted_to_domains: true } }) as unknown as Organization;
const throwaway = { settings: { disallow_disposable_email_addresses: true } } as unknown as Organization;
const folder = { folderId: 2, description: '', descriptionHtml: '', creatorId: 1, nowSeconds: 0 };
const folders = (name: string) => ({
  folders: [{ ...folder, name, isArchived: false } as never],
  revision: 1,
});
const field = (name: string): ProfileField => ({
  ...{ id: 1, type: profileFieldTypes.shortText, name, hint: '', fieldData: '' },
  ...{ displayInProfileSummary: false, required: false, editableByUser: true, useForUserMatching: false },
});

describe('Letter case makes no difference', () => {
  test('In the addresses of one request: each is invited once, in its last spelling', () => {
    expect(listAddresses('Ann@X.org, bob@x.org\nann@x.ORG')).toEqual(['ann@x.ORG', 'bob@x.org']);
  });

  test('In the address of a user, and in the substitute of a hidden one', () => {
    const ann = user(7, { email: 'Ann@X.org', dummyEmail: 'User7@X.org' });
    expect(['aNN@x.Org', 'uSER7@x.Org', 'Ann@Y.org'].map((address) => isKnownAs(ann, address))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('In addresses that have accounts already', () => {
    const accounts = [{ email: 'Ann@X.org', isActive: true, isSystemBot: false }];
    expect(listTaken(['aNN@x.Org', 'bob@x.org'], accounts)).toEqual([
      ['aNN@x.Org', 'Already has an account.', false],
    ]);
  });

  test('In an address that is invited again: the earlier invitation ends', () => {
    const invitation = { invitationId: 5, kind: 'email', email: 'Ann@X.org', inviterId: 7 } as Invitation;
    const { writes } = creationChange([invitation], new Map([['ann@x.org', 3]]));
    expect(writes).toContainEqual({ kind: 'delete', key: signInKeys.invitation(3) });
    expect(writes).toContainEqual(expect.objectContaining({ condition: { equals: { invitationId: 3 } } }));
  });

  test('In the domain of an address that may or may not join', () => {
    expect(() => requireAllowedAddress('Ann@X.ORG', restricted({ 'x.org': false }))).not.toThrow();
    expect(() => requireAllowedAddress('Ann@Sub.X.ORG', restricted({ 'x.org': true }))).not.toThrow();
    expect(() => requireAllowedAddress('Ann@Sub.X.ORG', restricted({ 'x.org': false }))).toThrow(
      'not allowed',
    );
    expect(() => requireAllowedAddress('Ann@YopMail.com', throwaway)).toThrow('not allowed');
  });

  test('In the substitute of a hidden address', () => {
    expect(() => requireNoDummy('USER7@X.Org', 'x.org')).toThrow('not allowed');
    expect(() => requireNoDummy('user7@y.org', 'x.org')).not.toThrow();
  });

  test('In an address for Gravatar', () => {
    const digest = createHash('md5').update('ann@x.org').digest('hex');
    expect(avatarUrl(user(7, { email: 'Ann@X.org' }))).toContain(`/avatar/${digest}?`);
  });

  test('In names that have to be unique, compositions of letters included', () => {
    const users = [user(7, { fullName: 'Ann Ｏne' })];
    expect(() => requireUniqueName('aNN ONE', users, undefined)).toThrow('Unique names required');
    expect(() => requireUniqueName('aNN ONE', users, user(7))).not.toThrow();
    const settings = { require_unique_names: true } as never;
    expect(() => checkOwnName(user(8), { settings }, 'aNN ONE', users)).toThrow('Unique names required');
    expect(checkOwnName(user(7), { settings }, 'aNN ONE', users)).toBe('aNN ONE');
  });

  test('In the name of a channel folder', () => {
    expect(() => newFolderChange(folders('Work'), { ...folder, name: ' wORK ' })).toThrow('already in use');
  });

  test('In the label of a custom profile field', () => {
    const known = { fields: [field('Nick Ｎame')], lastId: 1, revision: 1 };
    const given = { ...field('nICK NAME'), fieldData: {} };
    expect(() => createField(known, 1, given)).toThrow('A field with that label already exists.');
  });

  test('In the digest of the edited text', () => {
    const message = { content: 'hello' } as Message;
    const digest = createHash('sha256').update('hello').digest('hex');
    expect(() => requireExpected(message, digest.toUpperCase())).not.toThrow();
    expect(() => requireExpected(message, digest.replace(/./, '!'))).toThrow();
  });

  test('In the operator of a narrow, also after a dash', () => {
    expect(parseNarrow([{ operator: '-ToPic', operand: 'x' }])).toEqual([
      { kind: 'topic', topic: 'x', isNegated: true },
    ]);
  });

  test('In the type and in the extension of a file', () => {
    expect(readMediaType(' IMAGE/PNG ; charset=x', 'a.bin')).toBe('image/png');
    expect(readMediaType('', 'a.b.PNG')).toBe('image/png');
    expect(readMediaType('Application/Octet-Stream', 'a.PNG')).toBe('image/png');
    expect(readMediaType('text/html', 'a.png')).toBe('application/octet-stream');
  });
});

describe('White space is stripped from a name', () => {
  test.each([
    ['a person', () => checkFullName('  Ann One \n'), 'Ann One'],
    ['an address', () => checkEmail(' ann@x.org '), 'ann@x.org'],
    ['a custom emoji, whose spaces become underscores', () => checkEmojiName(' big party '), 'big_party'],
    ['a user group', () => checkGroupName('  crew '), 'crew'],
    ['a domain', () => checkDomain(' X.org '), 'x.org'],
  ])('In %s', (_what, read, name) => {
    expect(read()).toBe(name);
  });

  test('In the channel or the people of a message', () => {
    expect(readAddress('channel', ' room ', ' t ')).toEqual({ kind: 'channel', channel: 'room', topic: 't' });
    expect(readAddress('direct', ' a@x.org , b@x.org ,', undefined)).toEqual({
      kind: 'direct',
      users: ['a@x.org', 'b@x.org'],
    });
  });

  test('In people in a narrow', () => {
    expect(parseNarrow([{ operator: 'dm', operand: 'a@x.org , b@x.org' }])).toMatchObject([
      { users: ['a@x.org', 'b@x.org'] },
    ]);
  });

  test('In the current address, which is no new one', () => {
    expect(checkNewAddress(user(7), { settings: {} } as never, ' u7@x.org ')).toBeUndefined();
  });

  test('In a poll, its options, a list and its tasks', () => {
    const widget = (content: string) => widgetOf({ content } as Message)?.extra_data;
    expect(widget('/poll  Lunch? \n - Soup \n* Rice\n  \n')).toEqual({
      question: 'Lunch?',
      options: ['Soup', 'Rice'],
    });
    expect(widget('/todo  Trip \n- pack :  two  bags ')).toEqual({
      task_list_title: 'Trip',
      tasks: [{ task: 'pack', desc: 'two  bags' }],
    });
  });
});

describe('White space alone counts as empty', () => {
  test.each([
    [
      'a channel folder',
      () => newFolderChange(folders('x'), { ...folder, name: ' \t' }),
      "Channel folder name can't be empty.",
    ],
    ['a custom emoji', () => checkEmojiName('  '), 'Emoji name is missing'],
    ['a domain', () => checkDomain(' '), "Domain can't be empty."],
    [
      'an operator of a narrow',
      () => parseNarrow([{ operator: ' ', operand: 'x' }]),
      'narrow[0]["operator"] cannot be blank',
    ],
    ['all invited addresses', () => listAddresses(' , \n '), 'You must specify at least one email address.'],
    [
      'the people of a message',
      () => readAddress('direct', ' , ', undefined),
      'Message must have recipients',
    ],
  ])('As the name of %s', (_what, read, refusal) => {
    expect(read).toThrow(refusal);
  });

  test('As the new text of a message, which deletes the text', () => {
    expect(readEditedContent(' \n ')).toBe('(deleted)');
  });
});
