import { expect, test } from 'vitest';
import { profileFieldTypes } from '#shared/domain/profile/field.ts';
import {
  accountAddress,
  accountOf,
  dataOfOptions,
  FIELD_KINDS,
  freshKey,
  optionsOf,
  peopleOf,
} from '#web/state/profile.ts';
import type { ExternalSite, ProfileField } from '#web/state/wire-organization.ts';

test('The types of fields have the numbers of the service', () => {
  expect(Object.values(FIELD_KINDS)).toEqual(Object.values(profileFieldTypes));
  expect(FIELD_KINDS).toMatchObject({ shortText: 1, options: profileFieldTypes.select });
});

const field = (type: number, data: object | string): ProfileField =>
  ({ id: 1, type, field_data: typeof data === 'string' ? data : JSON.stringify(data) }) as ProfileField;

test('The options of a field are sorted, and are sent back in the shown order', () => {
  const data = { a: { text: 'last', order: '10' }, b: { text: 'first', order: '2' } };
  const options = optionsOf(field(FIELD_KINDS.options, data));
  expect(options.map(({ key, text }) => `${key} ${text}`)).toEqual(['b first', 'a last']);
  const sent = { b: { text: 'first', order: '1' }, a: { text: 'last', order: '2' } };
  expect(dataOfOptions(options)).toEqual(sent);
  expect(optionsOf(field(FIELD_KINDS.shortText, ''))).toEqual([]);
});

test('A new option has a key that no other option has', () => {
  const keyed = (...keys: string[]) => keys.map((key) => ({ key, text: key }));
  expect(freshKey([])).toBe('0');
  expect(freshKey(keyed('0', '7', '3'))).toBe('8');
  expect(freshKey(keyed('mine'))).toBe('0');
});

test('The address of an account comes from the pattern of the field, or of its site', () => {
  const sites = { code: { url_pattern: 'https://code.example/%(username)s' } as ExternalSite };
  const own = { subtype: 'custom', url_pattern: 'https://own.example/%(username)s' };
  const addressFor = (data: object, name = 'a/b') =>
    accountAddress(field(FIELD_KINDS.account, data), sites, name);
  expect(addressFor({ subtype: 'code' })).toBe('https://code.example/a%2Fb');
  expect(addressFor(own)).toBe('https://own.example/a%2Fb');
  expect(addressFor({ subtype: 'unknown' })).toBeUndefined();
  expect(accountOf(field(FIELD_KINDS.shortText, ''))).toEqual({ subtype: 'custom', pattern: '' });
});

test('The people of a value are its ids, and none without a value', () => {
  expect(peopleOf('[3,5]')).toEqual([3, 5]);
  expect(peopleOf('')).toEqual([]);
  expect(peopleOf('[3,"5",null]')).toEqual([3]);
  expect(peopleOf('{"3":5}')).toEqual([]);
});
