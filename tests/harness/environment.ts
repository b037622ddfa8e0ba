import { vi } from 'vitest';
import { atFileEnd } from './file-end.ts';

/** The credentials of AWS's documentation. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' };

/** Sets variables of the environment for all tests of the file. */
export function stubEnvironment(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  atFileEnd(() => vi.unstubAllEnvs());
}
