import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Grant, grantsFor } from '#infra/aws/grants.ts';
import { type Area, areas } from '#shared/table/areas.ts';
import { places } from '#tests/harness/privilege/aws-calls.ts';
import { applies, isAllowed, isLike } from '#tests/harness/privilege/iam.ts';
import { always } from '#tests/harness/property.ts';

const TABLE_VERBS = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'];
const closed = Object.keys(areas) as (keyof typeof areas)[];
const calling = (verb: string, keys: string[] | undefined, more = {}) => ({
  action: `dynamodb:${verb}`,
  resource: places.table,
  context: { 'dynamodb:LeadingKeys': keys, ...more },
});
const policyWith = (...reached: Area[]): Grant[] => grantsFor({ table: 'write', areas: reached }, places);
const keyIn = (area: keyof typeof areas): string => areas[area][0].replace('*', '17');

describe('The model of IAM policies', () => {
  test('Matches any text for a star, and every other character only itself', () => {
    expect(isLike('LOG#0001', 'LOG#*')).toBe(true);
    expect(isLike('CATALOG#1', 'LOG#*')).toBe(false);
    expect(isLike('a.b', 'a?b')).toBe(true);
    always(
      fc.property(fc.string(), (text) => {
        fc.pre(!/[*?]/.test(text));
        expect(isLike(text, text)).toBe(true);
        expect(isLike(`${text}x`, text)).toBe(false);
      }),
    );
  });

  test('Lets one deny statement override all that allow', () => {
    const allow: Grant = { effect: 'Allow', actions: ['a:b'], resources: ['*'] };
    const call = { action: 'a:b', resource: 'r', context: {} };
    expect(isAllowed([allow], call)).toBe(true);
    expect(isAllowed([allow, { ...allow, effect: 'Deny' }], call)).toBe(false);
    expect(isAllowed([], call)).toBe(false);
  });

  test('Matches ForAllValues without values, and not ForAnyValue', () => {
    const on = (operator: string): Grant => ({
      effect: 'Allow',
      actions: ['*'],
      resources: ['*'],
      conditions: { [operator]: { k: ['x*'] } },
    });
    const call = { action: 'a', resource: 'r', context: {} };
    expect(applies(on('ForAllValues:StringLike'), call)).toBe(true);
    expect(applies(on('ForAnyValue:StringLike'), call)).toBe(false);
    expect(() => applies(on('NumericEquals'), call)).toThrow('What NumericEquals means is not known here');
  });
});

describe('The policy of a writing function', () => {
  test('Allows the areas that it names, and nothing by which others can be reached', () => {
    always(
      fc.property(fc.subarray(closed), fc.constantFrom(...closed), (reached, area) => {
        const policy = policyWith(...reached);
        for (const verb of TABLE_VERBS) {
          const adds = verb === 'PutItem' && area === 'messages';
          expect(isAllowed(policy, calling(verb, [keyIn(area)])), `${verb} ${area}`).toBe(
            reached.includes(area) || adds,
          );
        }
      }),
    );
  });

  test('Denies a batch in which one key is of another area', () => {
    const policy = policyWith('drafts');
    expect(isAllowed(policy, calling('BatchGetItem', ['DRAFTS#1', 'USER#1']))).toBe(true);
    expect(isAllowed(policy, calling('BatchGetItem', ['DRAFTS#1', 'USER#1', 'PASSWORD#1']))).toBe(false);
  });

  test('Allows storing new passwords if granted, and reading none', () => {
    const policy = policyWith('newPasswords');
    expect(isAllowed(policy, calling('PutItem', ['PASSWORD#1']))).toBe(true);
    for (const verb of ['GetItem', 'Query', 'BatchGetItem', 'UpdateItem', 'DeleteItem'])
      expect(isAllowed(policy, calling(verb, ['PASSWORD#1'])), verb).toBe(false);
  });

  test('Denies scans, and reading by transactions', () => {
    const policy = policyWith(...closed);
    const within = (operation: string) => ({ 'dynamodb:EnclosingOperation': [operation] });
    expect(isAllowed(policy, calling('Scan', undefined))).toBe(false);
    expect(isAllowed(policy, calling('PartiQLSelect', undefined))).toBe(false);
    expect(isAllowed(policy, calling('GetItem', undefined, within('TransactGetItems')))).toBe(false);
    expect(isAllowed(policy, calling('PutItem', undefined, within('TransactWriteItems')))).toBe(true);
  });
});
