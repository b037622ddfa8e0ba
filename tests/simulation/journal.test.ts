import { describe, expect, test } from 'vitest';
import { end, type Listener, type Wishes } from './people/journal.ts';

const listenerOf = (wishes: Partial<Wishes>): Listener =>
  ({ wishes, polledAtMs: 0, hasLeft: false }) as unknown as Listener;

function endAfter(seconds: number, wishes: Partial<Wishes>): 'expired' | 'without a reason' {
  const listener = listenerOf(wishes);
  end(listener, seconds * 1000);
  return listener.expiredAtMs ? 'expired' : 'without a reason';
}

describe('A queue may end if its client sent no poll during its lifetime', () => {
  test.for<[string, Partial<Wishes>, number]>([
    ['ten minutes and one, where its client asked for nothing', {}, 660],
    ['what its client asked for, and a minute', { lifespanSeconds: 1 }, 61],
    ['a day and a minute, of a patient client', { isPatient: true }, 86_460],
  ])('Lifetime: %s', ([, wishes, lifeSeconds]) => {
    expect(endAfter(lifeSeconds, wishes)).toBe('expired');
    expect(endAfter(lifeSeconds - 10, wishes)).toBe('without a reason');
  });
});
