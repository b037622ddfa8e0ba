import type { Page } from 'playwright-core';
import { percentile, type Row } from '../report.ts';
import type { BenchService } from '../service.ts';
import type { Organization } from './organization.ts';

/** The shared parts of the web client's measurements. */
export interface Measured {
  service: BenchService;
  organization: Organization;
  /** A browser with the viewer's session, and nothing in its cache. */
  open(): Promise<Page>;
}

/** The limit below which pages count as stable. */
const LAYOUT_SHIFT = 0.1;

export const median = (values: number[]): number => percentile(values, 0.5);
export const ms = (value: number): string => `${value.toFixed(0)} ms`;
/** How much slower than alone this machine is for the same work at this moment: 1 if no other program works. */
export function slowdown(): number {
  const startMs = performance.now();
  const before = process.cpuUsage();
  let mixed = 1;
  for (let n = 0; n < 200_000_000; n++) mixed = Math.imul(mixed ^ (mixed >>> 15), 1 | n);
  const { user, system } = process.cpuUsage(before);
  const wallMicroseconds = (performance.now() - startMs) * 1_000;
  return mixed === 0.5 ? 0 : Math.max(1, wallMicroseconds / (user + system));
}

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

export function byteRow(what: string, bytes: number, budget: number): Row {
  const said = (size: number): string =>
    size < 1_000_000 ? `${(size / 1000).toFixed(0)} KB` : megabytes(size);
  return { what, measured: said(bytes), budget: `≤ ${said(budget)}`, isMet: bytes <= budget };
}

export const shiftRow = (what: string, shift: number): Row => ({
  what,
  measured: shift.toFixed(3),
  budget: `≤ ${LAYOUT_SHIFT}`,
  isMet: shift <= LAYOUT_SHIFT,
});
