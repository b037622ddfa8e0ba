import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { API } from 'typescript/unstable/sync';

const SERVICE = 'tsconfig.json';
const WEB = 'web/tsconfig.json';
const configOf = (file: string): string => (file.startsWith('web/') ? WEB : SERVICE);
const TSC = 'node_modules/typescript/bin/tsc';

/** Whether the types of a copy of the project are right, as `npm run types` asks, with a broken file in it. */
export async function hasRightTypes(folder: string, file: string): Promise<boolean> {
  const project = configOf(file);
  // What was found out about files that are as they were is kept.
  const kept = join(folder, `dist/types-${dirname(project)}.tsbuildinfo`);
  const args = ['--noEmit', '--project', project, '--incremental', '--tsBuildInfoFile', kept];
  const child = spawn(process.execPath, [TSC, ...args], { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return code === 0;
}

/** Says in milliseconds what a file of a copy of the project is by itself. What others make of it is for `hasRightTypes`. */
export class OwnTypes {
  readonly #folder: string;
  readonly #api: API;

  constructor(folder: string) {
    this.#folder = folder;
    this.#api = new API({ cwd: folder });
    const openProjects = [SERVICE, WEB].map((name) => join(folder, name));
    this.#api.updateSnapshot({ openProjects });
  }

  /** Whether the types within a file are right when it is broken. */
  areRight({ file, start, end, text }: { file: string; start: number; end: number; text: string }): boolean {
    const path = join(this.#folder, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, source.slice(0, start) + text + source.slice(end));
    try {
      const snapshot = this.#api.updateSnapshot({ fileChanges: { changed: [path] } });
      const project = snapshot.getProject(join(this.#folder, configOf(file)));
      if (!project) throw new Error(`${file} belongs to no project`);
      const { program } = project;
      return program.getSyntacticDiagnostics(path).length + program.getSemanticDiagnostics(path).length === 0;
    } finally {
      writeFileSync(path, source);
      this.#api.updateSnapshot({ fileChanges: { changed: [path] } });
    }
  }

  end(): void {
    this.#api.close();
  }
}
