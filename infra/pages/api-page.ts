import { basename, dirname } from 'node:path';
import { endpoints } from '#functions/routes.ts';
import { type EndpointFunction, listFunctions } from '#infra/aws/functions.ts';
import { byName } from '#infra/by-name.ts';

/** The operations by folder of functions, in the order of their files. */
function operationsByArea(): Map<string, EndpointFunction[]> {
  const inOrder = listFunctions().endpoints.toSorted((endpoint, other) => byName(endpoint.file, other.file));
  return Map.groupBy(inOrder, ({ file }) => basename(dirname(file)));
}

const describeOperation = ({ file, endpoint: { route, summary, at } }: EndpointFunction): string =>
  `- \`${route.replace('+}', '}')}\`${at === 'root' ? ' (root)' : ''}: [${summary}](/${file})`;

const describeArea = ([area, operations]: [string, EndpointFunction[]]): string => `## ${area}

${operations.map(describeOperation).join('\n')}`;

/** The page of all operations, generated from the registry. */
export const describeOperations = (): string => `# Operations of the API

\`npm run docs\` writes this page from the registry of ${Object.keys(endpoints).length} operations. Paths are below \`/api/v1\`, except those marked (root). A
heading is a folder of \`functions/\`; each operation links to its source.

[openapi.json](openapi.json) has parameters, replies, errors and examples, [permissions](permissions.md) says who may do what, and
[first requests](first-requests.md) shows how to call the API.

${[...operationsByArea()].map(describeArea).join('\n\n')}
`;
