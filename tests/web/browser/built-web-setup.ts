import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which each worker of the run keeps the web client that it has built. */
    builtWebFolder: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'web-stage-'));
  project.provide('builtWebFolder', folder);
  return () => rmSync(folder, { recursive: true });
}
