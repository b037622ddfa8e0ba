import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '#functions/routes.ts';
import { listFunctions } from '../aws/functions.ts';
import { type ApiDocument, describeApi } from './document.ts';
import type { OperationExample } from './operation.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Recorded calls, which `tests/conformance/examples.test.ts` writes and checks. */
export const EXAMPLES_FILE = join(ROOT, 'docs/examples.json');

/** The recorded examples by operation; empty before the first recording. */
export const readExamples = (): Record<string, OperationExample> =>
  existsSync(EXAMPLES_FILE) ? JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) : {};

/** The document of this service: the whole registry, grouped by folder. */
export function describeService(): ApiDocument {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const areas = new Map(
    listFunctions().endpoints.map(({ operation, file }) => [operation, file.split('/')[1] ?? '']),
  );
  return describeApi(endpoints, {
    title: 'Team Chat Service',
    version,
    areaOf: (operationId) => areas.get(operationId) ?? '',
    examples: readExamples(),
  });
}

/** The document as text, exactly as in its file. */
export const printDocument = (document: ApiDocument): string => `${JSON.stringify(document, null, 1)}\n`;
