import type { RunnerTask } from 'vitest';
import witnesses from './witnesses.json' with { type: 'json' };

/**
 * Which file of tests shows what operations declare: the events that they emit, and the codes of their errors. So a file
 * that no longer brings one about fails, and what is declared without any such file is found by a conformance test.
 */
export const shownBy: Record<string, Record<string, string[]>> = witnesses;

export const isWitness = (path = ''): boolean =>
  Object.keys(shownBy).some((file) => path.endsWith(`/${file}`));

/** What a file was to show and did not, where all of its tests have run and passed. */
export function listNotShown(
  file: RunnerTask['file'] | undefined,
  outcomes: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  if (!file?.tasks.every(hasPassed)) return [];
  return Object.entries(shownBy[file.name] ?? {}).flatMap(([operation, shown]) =>
    shown.filter((one) => !outcomes.get(operation)?.has(one)).map((one) => `${operation}: ${one}`),
  );
}

const hasPassed = (task: RunnerTask): boolean =>
  task.type === 'suite' ? task.tasks.every(hasPassed) : task.result?.state === 'pass';
