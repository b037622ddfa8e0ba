import type { WriteStream } from 'node:tty';

/** How far a backup or restore is. */
export interface Step {
  doing: string;
  /** Of `total`, if that is known; counts of items and files, or bytes. */
  done: number;
  total?: number | undefined;
  /** What else is worth a look. */
  note?: string | undefined;
}

export type OnStep = (step: Step) => void;

const BAR_WIDTH = 30;
const LINE_EVERY_MS = 10_000;
const BAR_EVERY_MS = 100;

/** A bar that moves on a terminal; elsewhere a plain line every ten seconds, and for each new thing that is done. */
export function showProgress(
  output: NodeJS.WriteStream | WriteStream,
  nowMs: () => number = Date.now,
): OnStep {
  let last: { doing: string; atMs: number } = { doing: '', atMs: Number.NEGATIVE_INFINITY };
  return (step) => {
    const everyMs = output.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS;
    const isNew = step.doing !== last.doing;
    const isEnd = step.done === step.total;
    if (!isNew && !isEnd && nowMs() - last.atMs < everyMs) return;
    if (output.isTTY && isNew && last.doing) output.write('\n');
    output.write(output.isTTY ? `\r\x1b[K${barOf(step)}` : `${lineOf(step)}\n`);
    last = { doing: step.doing, atMs: nowMs() };
  };
}

const shareOf = ({ done, total }: Step): number | undefined =>
  total ? Math.min(1, done / total) : undefined;

function barOf(step: Step): string {
  const share = shareOf(step);
  if (share === undefined) return lineOf(step);
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${lineOf(step)}`;
}

function lineOf(step: Step): string {
  const share = shareOf(step);
  const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`;
  return `${step.doing}:${percent} ${step.done.toLocaleString('en')}${step.note ? `, ${step.note}` : ''}`;
}
