import { expect, test } from 'vitest';
import { isRecentlyActive, type User } from '#shared/domain/users/user.ts';

const DAY_SECONDS = 24 * 3600;
const user = (lastActiveDay: number, createdDay: number): User =>
  ({ lastActiveDay, createdAtSeconds: createdDay * DAY_SECONDS }) as User;

test.each([
  [1_000, 10, 1_014, true],
  [1_000, 10, 1_015, false],
  [0, 1_000, 1_014, true],
  [0, 1_000, 1_015, false],
])(
  'A user last active on day %i, with an account since day %i, counts as active on day %i: %s',
  (last, created, today, isActive) => {
    expect(isRecentlyActive(user(last, created), today * DAY_SECONDS + 5)).toBe(isActive);
  },
);
