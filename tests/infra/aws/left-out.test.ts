import { expect, test } from 'vitest';
import { EventStreamSerde } from '#infra/aws/sdk/no-event-streams.ts';
import punycode from '#infra/aws/sdk/punycode-of-node.ts';
import { getWorkerUses } from '#infra/aws/worker-uses.ts';

test('in a bundle the host names of links are written as Node writes them, and one that is none is refused, so that its link stays', () => {
  expect(punycode.toASCII('münchen.example')).toBe('xn--mnchen-3ya.example');
  expect(punycode.toUnicode('xn--mnchen-3ya.example')).toBe('münchen.example');
  for (const encode of Object.values(punycode))
    expect(() => encode('xn--iñvalid.example')).toThrow(new RangeError('Not a host name'));
});

test('a call that needs what a bundle leaves out fails, and says what it needs', () => {
  expect(() => new EventStreamSerde()).toThrow('The bundle contains no event streams');
});

test('a worker of which nobody wrote down what it uses cannot be deployed', () => {
  expect(() => getWorkerUses({}, 'tidy-up')).toThrow('What the worker tidy-up uses is not known');
});
