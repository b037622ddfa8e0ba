import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';

const TSC = 'node_modules/typescript/bin/tsc';

/** Whether the types of a copy of the project are right, as `npm run types` checks them, with a broken file in it. */
export async function hasRightTypes(folder: string, file: string): Promise<boolean> {
  const project = file.startsWith('web/') ? 'web/tsconfig.json' : 'tsconfig.json';
  // Keeps the results for unchanged files.
  const info = join(folder, `dist/types-${dirname(project)}.tsbuildinfo`);
  const args = ['--noEmit', '--project', project, '--incremental', '--tsBuildInfoFile', info];
  const child = spawn(process.execPath, [TSC, ...args], { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return code === 0;
}
