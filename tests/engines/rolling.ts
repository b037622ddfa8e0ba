import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCommandLine } from '#infra/command-line.ts';
import { end, findFreePort } from '#tests/harness/wire-engine/child-process.ts';
import { startEngine } from '#tests/harness/wire-engine/engine.ts';
import { ROOT } from '#tests/infra/root.ts';
import { run, skip } from './background-server.ts';

const HELP = `Usage: npm run test:rolling -- [commit]

Runs an earlier version beside the present one on one table of an emulator of DynamoDB, as during a deployment. Each call
of a client goes to one of both in turn. The default is the commit before the last change of the version in package.json.
Needs git and the history of the project.

Options:
  --help  print this text

Example:
  npm run test:rolling -- HEAD~20`;

const { positionals } = readCommandLine(HELP, { mostWords: 1 });
const READY_ATTEMPTS = 240;

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};
const asked = positionals[0] ?? git('log', '-1', '--format=%H~1', '-G"version": "', '--', 'package.json');
const commit = asked && git('rev-parse', '--verify', '--quiet', `${asked}^{commit}`);

if (!commit)
  skip('two versions on one table.', `They need git and the commit ${asked ?? 'of an earlier version'}.`);
else process.exitCode = await runBoth(commit);

/** Runs the tests against both versions. @returns their status */
async function runBoth(earlier: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-rolling-'));
  const engine = await startEngine();
  const servers: Server[] = [];
  try {
    const sources = join(folder, 'sources');
    extract(earlier, sources);
    const [old, now] = [join(folder, 'old'), join(folder, 'now')];
    servers.push(await start(sources, old, engine.endpoint));
    // Functions of one stage share the secret.
    mkdirSync(now, { mode: 0o700 });
    cpSync(join(old, 'secret'), join(now, 'secret'));
    servers.push(await start(ROOT, now, engine.endpoint));
    const config = join(import.meta.dirname, 'vitest.config.ts');
    return await run('vitest', ['run', '--config', config, 'two-versions.rolling.ts'], {
      ...process.env,
      OLD_URL: servers[0]!.url,
      NEW_URL: servers[1]!.url,
      OWNER_FILE: readFileSync(join(old, 'owner.zuliprc'), 'utf8'),
    });
  } finally {
    for (const { stop } of servers) await stop();
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sources of a commit, with the libraries of the present one. @throws when git cannot give them */
function extract(earlier: string, folder: string): void {
  mkdirSync(folder);
  const { status } = spawnSync('sh', ['-c', `git archive ${earlier} | tar -x -C "$0"`, folder], {
    cwd: ROOT,
  });
  if (status !== 0) throw new Error(`git archive ${earlier} failed: ${status}`);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

interface Server {
  url: string;
  stop(): Promise<void>;
}

/** Starts a service on a table of the engine. @throws when it does not answer */
async function start(sources: string, dataDir: string, endpoint: string): Promise<Server> {
  const port = await findFreePort();
  const env = {
    ...process.env,
    DYNAMODB_ENDPOINT: endpoint,
    DATA_DIR: dataDir,
    PORT: String(port),
    REQUESTS_PER_MINUTE: '100000',
  };
  const child = spawn('node', ['infra/local/main.ts'], {
    cwd: sources,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/api/v1/server_settings`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let attempt = 1; !(await isReady()); attempt++) {
    if (child.exitCode !== null || attempt === READY_ATTEMPTS) {
      await end(child);
      throw new Error(`The service of ${sources} does not answer: ${said}`);
    }
    await pause(250);
  }
  return {
    url,
    stop: async () => {
      await end(child);
      if (/"level":"error"/.test(said)) console.log(said);
    },
  };
}
