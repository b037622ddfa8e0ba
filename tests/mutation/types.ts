import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const TSC = 'node_modules/typescript/bin/tsc';

/** Whether the types of a copy of the project are right, as `npm run types` asks, with a broken file in it. */
export async function hasRightTypes(folder: string, file: string): Promise<boolean> {
  const project = file.startsWith('web/') ? 'web' : '.';
  // What was found out about files that are as they were is kept.
  const kept = join(folder, `dist/types-${project === '.' ? 'service' : project}.tsbuildinfo`);
  const args = ['--noEmit', '--project', project, '--incremental', '--tsBuildInfoFile', kept];
  const child = spawn(process.execPath, [TSC, ...args], { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return code === 0;
}
