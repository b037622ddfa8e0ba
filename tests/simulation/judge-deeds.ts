import type { Account } from '#shared/domain/users/user.ts';
import type { Doers } from './doers.ts';
import type { Journal } from './journal.ts';
import { judgeSnapshot, type Remains } from './judge.ts';

export function judgeDeeds(journal: Journal, remains: Remains, _doers: Doers, _people: Account[]): string[] {
  return [
    ...journal.complaints,
    ...[...remains.fresh].flatMap(([listener, fresh]) => judgeSnapshot(listener, fresh)),
  ];
}
