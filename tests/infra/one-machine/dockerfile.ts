import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export interface Instruction {
  name: string;
  text: string;
}

export interface Stage {
  /** The image that it begins with. */
  from: string;
  instructions: Instruction[];
}

/** The stages of the Dockerfile, with continued lines joined and comments left out. */
export function readStages(): Stage[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push({ from: text, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
}

export const textsOf = ({ instructions }: Stage, name: string): string[] =>
  instructions.filter((one) => one.name === name).map(({ text }) => text);

/** The source and target of a COPY instruction; both within the folder of the application. */
export function readCopy(text: string): { from: string[]; to: string } {
  const words = text.split(' ').filter((word) => !word.startsWith('--'));
  const paths = words.map((word) => word.replace(/^\/app\//, ''));
  return { from: paths.slice(0, -1), to: paths.at(-1) ?? '' };
}

/** The variables of the final stage. */
export const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    textsOf(stage, 'ENV')
      .flatMap((text) => text.split(' '))
      .map((pair) => pair.split('=') as [string, string]),
  );
