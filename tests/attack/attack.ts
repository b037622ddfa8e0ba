import type { Cost, Target } from './target.ts';

/** One attempt to lose data, to stop the service or to run up its bill. */
export interface Attack {
  name: string;
  /** The attack, in one sentence. */
  attempt: string;
  run(target: Target): Promise<Outcome>;
}

export interface Outcome {
  /** The result, in figures. */
  seen: string;
  /** The attacker's success; empty for none. */
  achieved: string[];
}

/** The delay that an honest caller may have to accept on a slow computer. */
const MAX_SLOWEST_SECONDS = 3;
const MAX_MEGABYTES = 600;

/** The harm to others, beside the goal of the attack. */
export function harmOf({ slowestSeconds, denied, moreMegabytes }: Cost): string[] {
  return [
    ...(denied > 0 ? [`${denied} requests of another caller failed`] : []),
    ...(slowestSeconds > MAX_SLOWEST_SECONDS ? [`another caller waited ${slowestSeconds.toFixed(1)} s`] : []),
    ...(moreMegabytes > MAX_MEGABYTES ? [`${moreMegabytes.toFixed(0)} MB more memory`] : []),
  ];
}

export const describeCost = ({ cpuSeconds, slowestSeconds, moreMegabytes }: Cost): string =>
  `${cpuSeconds.toFixed(1)} s of CPU, ${moreMegabytes.toFixed(0)} MB more, another caller waited ${slowestSeconds.toFixed(2)} s at most`;

/** How many replies had each status, as text. */
export function countStatuses(replies: { status: number }[]): string {
  const counts = Map.groupBy(replies, ({ status }) => status);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ');
}

export const failuresIn = (replies: { status: number }[]): string[] => {
  const failed = replies.filter(({ status }) => status >= 500);
  return failed.length > 0 ? [`${failed.length} replies were failures of the service`] : [];
};
