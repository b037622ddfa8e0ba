import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '#functions/routes.ts';
import type { Allowed, AnyEndpoint } from '#shared/api/endpoint.ts';
import { listFunctions } from './aws/functions.ts';
import { whoMayCall } from './permissions-page.ts';

export const API_PAGE = join(import.meta.dirname, '../docs/api.md');

/** The operations by folder of functions. */
function operationsByArea(): Map<string, [string, AnyEndpoint][]> {
  const areas = new Map<string, [string, AnyEndpoint][]>();
  const functions = listFunctions().endpoints.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  for (const { operation, file } of functions) {
    const area = file.split('/')[1] ?? '';
    const endpoint = (endpoints as Record<string, AnyEndpoint>)[operation];
    if (endpoint) areas.set(area, [...(areas.get(area) ?? []), [operation, endpoint]]);
  }
  return areas;
}

function describeOperation([name, { route, summary, allow, at }]: [string, AnyEndpoint]): string {
  const place = at === 'root' ? ', at the root' : '';
  return `| \`${route.replace('+}', '}')}\`${place} | \`${name}\` | ${summary} | ${whoMayCall[allow as Allowed]} |`;
}

const describeArea = ([area, operations]: [string, [string, AnyEndpoint][]]): string => `## ${area}

| operation | name | what it does | who may call |
| --- | --- | --- | --- |
${operations.map(describeOperation).join('\n')}`;

/** The page of all operations, generated from the registry. */
export const describeOperations = (): string => `# Operations of the API

\`npm run docs\` writes this page from the registry; a test keeps it true. There are ${Object.keys(endpoints).length} operations.
A heading is the folder in \`functions/\` that has the operations below it.

Paths are below \`/api/v1\`, but for those *at the root* of the service. Every operation that not *anyone* may call takes HTTP Basic
authentication with e-mail address and API key, or the [session](decisions/0074-sessions.md) of a browser.
[permissions.md](permissions.md) says who may do what in detail,
[openapi.json](openapi.json) has parameters, replies, errors and examples, and [first-requests.md](first-requests.md) shows some
requests.

${[...operationsByArea()].map(describeArea).join('\n\n')}
`;

if (import.meta.main) writeFileSync(API_PAGE, describeOperations());
