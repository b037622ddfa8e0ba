import { basename, dirname } from 'node:path';
import { endpoints } from '#functions/routes.ts';
import { type EndpointFunction, listFunctions } from './aws/functions.ts';
import { byName } from './by-name.ts';

/** The operations by folder of functions, in the order of their files. */
function operationsByArea(): Map<string, EndpointFunction[]> {
  const inOrder = listFunctions().endpoints.toSorted((one, other) => byName(one.file, other.file));
  return Map.groupBy(inOrder, ({ file }) => basename(dirname(file)));
}

function describeOperation({ operation, endpoint: { route, summary, at } }: EndpointFunction): string {
  const place = at === 'root' ? ', at the root' : '';
  return `| \`${route.replace('+}', '}')}\`${place} | \`${operation}\` | ${summary} |`;
}

const describeArea = ([area, operations]: [string, EndpointFunction[]]): string => `## ${area}

| operation | name | what it does |
| --- | --- | --- |
${operations.map(describeOperation).join('\n')}`;

/** The page of all operations, generated from the registry. */
export const describeOperations = (): string => `# Operations of the API

\`npm run docs\` writes this page from the registry; a test keeps it true. There are ${Object.keys(endpoints).length} operations.
A heading is the folder in \`functions/\` that has the operations below it.

Paths are below \`/api/v1\`, but for those *at the root* of the service. Every operation that not *anyone* may call takes HTTP Basic
authentication with e-mail address and API key, or the [session](decisions/0016-keys-and-sessions.md) of a browser.
[permissions.md](permissions.md) says who may do what,
[openapi.json](openapi.json) has parameters, replies, errors and examples, and [first-requests.md](first-requests.md) shows some
requests.

${[...operationsByArea()].map(describeArea).join('\n\n')}
`;
