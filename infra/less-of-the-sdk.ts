import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/** The hosts of the services that functions speak to, by the name of the client. */
const HOSTS: Record<string, string> = {
  'client-dynamodb': 'dynamodb',
  'client-eventbridge': 'events',
  'client-scheduler': 'scheduler',
  'client-sesv2': 'email',
};
const REGION_ENDPOINT = fileURLToPath(import.meta.resolve('./aws/region-endpoint.ts'));

/**
 * Registrations of errors that nobody tells apart from others: those of operations on whole tables, which no function
 * performs, and all of the bus, whose failures are only logged.
 */
const UNUSED_ERRORS: Record<string, RegExp> = {
  'client-dynamodb':
    /^\w+\.registerError\(\w*(Backup|Export|Import|GlobalTable|Replica[AN]|PointInTime|TableAlready|TableInUse|TableNot|Policy|InvalidRestore|IndexNot|DuplicateItem)\w*\$, \w+\);$/gm,
  'client-eventbridge': /^n0_registry\.registerError\(\w+\$, \w+\);$/gm,
};
/** The description of a shape: only what is known to have no effect is left out where nobody uses it. */
const SHAPE = /^((?:export )?var [\w$]+ = )(\[[\s\S]*?\]);$/gm;

/** Files of the SDK that no function comes to, and what stands in for each. */
const UNUSED_PARTS: [RegExp, string][] = [
  // Only the rules that region-endpoint.ts stands in for ask what the partitions of AWS are like.
  [
    /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/,
    "export const partitionsInfo = { partitions: [], version: '1.1' };",
  ],
  // A function has its region in its environment, and no machine of its own to ask for one.
  [
    /[\\/]regionConfig[\\/]getInstanceMetadataRegion\.js$/,
    'export const getInstanceMetadataRegion = async () => undefined;',
  ],
  // No deployment asks for other time-outs than those that are given.
  [
    /[\\/]defaults-mode[\\/]resolveDefaultsModeConfig\.js$/,
    "export const resolveDefaultsModeConfig = () => async () => 'legacy';",
  ],
  // A mode of retries that has to be asked for, and is not.
  [/[\\/]util-retry[\\/]AdaptiveRetryStrategy\.js$/, 'export class AdaptiveRetryStrategy {}'],
  // What of the SDK is in use, for its makers' statistics.
  [/[\\/]middleware-user-agent[\\/]check-features\.js$/, 'export const checkFeatures = async () => {};'],
  // No client is given a logger.
  [
    /[\\/]middleware-logger[\\/]loggerMiddleware\.js$/,
    `export const loggerMiddlewareOptions = {}, loggerMiddleware = () => (next) => next;
    export const getLoggerPlugin = () => ({ applyToStack: () => {} });`,
  ],
  // Node brings SHA-256.
  [/[\\/]sha256[\\/]Sha256Js\.js$/, 'export class Sha256Js {}'],
];

/** Of its own package file a client of the SDK needs the version, of endpoints one, of errors the names. */
export const lessOfTheSdk: Plugin = {
  name: 'less-of-the-sdk',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]@aws-sdk[\\/][^\\/]+[\\/]package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    onLoad(
      { filter: /[\\/]client-[a-z0-9]+[\\/]dist-es[\\/]endpoint[\\/]endpointResolver\.js$/ },
      ({ path }) => {
        const host = HOSTS[basename(dirname(dirname(dirname(path))))];
        if (!host) return undefined;
        const contents = `import { endpointOf } from ${JSON.stringify(REGION_ENDPOINT)};
        export const defaultEndpointResolver = endpointOf(${JSON.stringify(host)});`;
        return { contents, loader: 'js' };
      },
    );
    onLoad({ filter: /[\\/]client-[a-z0-9]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/ }, ({ path }) => {
      const unused = UNUSED_ERRORS[basename(dirname(dirname(dirname(path))))];
      if (!unused) return undefined;
      const contents = readFileSync(path, 'utf8')
        .replace(unused, '')
        .replace(SHAPE, '$1/* @__PURE__ */ (() => ($2))();');
      return { contents, loader: 'js' };
    });
    onLoad({ filter: /[\\/]client-[a-z0-9]+[\\/]dist-es[\\/]models[\\/]errors\.js$/ }, ({ path }) => ({
      contents: shortErrors(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
    for (const [filter, contents] of UNUSED_PARTS) onLoad({ filter }, () => ({ contents }));
  },
};

/** The same error classes as those of a client's generated file, each of which spells out what it has in common. */
function shortErrors(source: string): string {
  const base = /^import \{ (\w+) as __BaseException \} from "(.+)";/m.exec(source);
  const classes = source.matchAll(
    /export class (\w+) extends __BaseException \{[^}]*?\$fault = "(\w+)";([^}]*)/g,
  );
  const lines = [...classes].map(([, name, fault, rest = '']) => {
    const retryable = rest.includes('$retryable') ? ', {}' : '';
    return `export const ${name} = declare('${name}', '${fault}'${retryable});`;
  });
  if (!base || lines.length === 0)
    throw new Error('A client of the SDK declares its errors in another way now');
  return `import { ${base[1]} as Base } from '${base[2]}';
    const declare = (name, $fault, $retryable) => class extends Base {
      constructor(options) {
        super({ ...options, name, $fault });
        Object.assign(this, options, { name, $fault }, $retryable && { $retryable });
        Object.setPrototypeOf(this, new.target.prototype);
      }
    };
    ${lines.join('\n')}`;
}
