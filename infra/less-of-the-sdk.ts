import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/** The hosts of the services that functions call, by client name. */
const HOSTS: Record<string, string> = {
  'client-dynamodb': 'dynamodb',
  'client-eventbridge': 'events',
  'client-scheduler': 'scheduler',
  'client-sesv2': 'email',
};
/** The name by which clients import it: its path would make bundles differ between folders of the sources. */
const REGION_ENDPOINT = 'less-of-the-sdk/region-endpoint';
const REGION_ENDPOINT_FILE = fileURLToPath(import.meta.resolve('./aws/sdk/region-endpoint.ts'));

/**
 * Registrations of errors that the service does not distinguish: those of operations on whole tables, and all
 * of the bus, whose failures are only logged.
 */
const UNUSED_ERRORS: Record<string, RegExp> = {
  'client-dynamodb':
    /^\w+\.registerError\(\w*(Backup|Export|Import|GlobalTable|Replica[AN]|PointInTime|TableAlready|TableInUse|TableNot|Policy|InvalidRestore|IndexNot|DuplicateItem)\w*\$, \w+\);$/gm,
  'client-eventbridge': /^n0_registry\.registerError\(\w+\$, \w+\);$/gm,
};
/** A schema declaration; unused ones are removed if they are known to have no side effect. */
const SHAPE = /^((?:export )?var [\w$]+ = )(\[[\s\S]*?\]);$/gm;

/** Unreachable files of the SDK, and their replacements. */
const UNUSED_PARTS: [RegExp, string][] = [
  // Only the rules replaced by region-endpoint.ts read the list of AWS partitions.
  [
    /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/,
    "export const partitionsInfo = { partitions: [], version: '1.1' };",
  ],
  // The region of a function is in its environment; there is no instance metadata.
  [
    /[\\/]regionConfig[\\/]getInstanceMetadataRegion\.js$/,
    'export const getInstanceMetadataRegion = async () => undefined;',
  ],
  // No deployment configures other timeouts.
  [
    /[\\/]defaults-mode[\\/]resolveDefaultsModeConfig\.js$/,
    "export const resolveDefaultsModeConfig = () => async () => 'legacy';",
  ],
  // An opt-in retry mode that is not used.
  [/[\\/]util-retry[\\/]AdaptiveRetryStrategy\.js$/, 'export class AdaptiveRetryStrategy {}'],
  // Usage statistics for the SDK's makers.
  [/[\\/]middleware-user-agent[\\/]check-features\.js$/, 'export const checkFeatures = async () => {};'],
  // No client has a logger.
  [
    /[\\/]middleware-logger[\\/]loggerMiddleware\.js$/,
    `export const loggerMiddlewareOptions = {}, loggerMiddleware = () => (next) => next;
    export const getLoggerPlugin = () => ({ applyToStack: () => {} });`,
  ],
  // Node provides SHA-256.
  [/[\\/]sha256[\\/]Sha256Js\.js$/, 'export class Sha256Js {}'],
];

/** Reduces SDK clients: of the package file only the version, a single endpoint, short error classes. */
export const lessOfTheSdk: Plugin = {
  name: 'less-of-the-sdk',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^${REGION_ENDPOINT}$`) }, () => ({ path: REGION_ENDPOINT_FILE }));
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

/**
 * The error classes of a client's generated file without repetition.
 *
 * @throws Error for a file of another shape, which a new version of the SDK may bring
 */
export function shortErrors(source: string): string {
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
