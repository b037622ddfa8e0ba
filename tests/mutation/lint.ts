import { spawn } from 'node:child_process';
import { once } from 'node:events';

const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const RULE = 'nursery/noFloatingPromises';

/** Whether a broken file of a copy of the project passes the rule of the lint that refuses a promise that nothing awaits. */
export async function awaitsAll(folder: string, file: string): Promise<boolean> {
  const args = ['lint', `--only=${RULE}`, '--vcs-enabled=false', file];
  const child = spawn(process.execPath, [BIOME, ...args], { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return code === 0;
}
