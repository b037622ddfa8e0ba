import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { ROOT } from './dockerfile.ts';

const FOLDER = join(ROOT, 'infra/one-machine');
/** Where docs/one-machine.md puts the tree. */
const INSTALLED = '/opt/team-chat/';

const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** The values of a directive of a unit, in their order. */
const valuesOf = (unit: string, directive: string): string[] =>
  [...read(unit).matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const services = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));

describe('The units of systemd', () => {
  test.each(services)('%s runs files of the tree, with the Node of the project', (unit) => {
    const [command = ''] = valuesOf(unit, 'ExecStart');
    const [file = ''] = /infra\/\S+\.ts/.exec(command) ?? [];
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(command).toContain(`${INSTALLED}node_modules/.bin/node ${file}`);
    expect(packageJson.devDependencies).toHaveProperty('node');
    for (const [, path = ''] of valuesOf(unit, 'Documentation')
      .join(' ')
      .matchAll(/file:(\S+)/g))
      expect(existsSync(join(ROOT, path.slice(INSTALLED.length))), path).toBe(true);
  });

  test.each(services)('%s writes only state folders, and lets V8 execute compiled code', (unit) => {
    expect(valuesOf(unit, 'ProtectSystem')).toEqual(['strict']);
    expect(valuesOf(unit, 'ReadWritePaths')).toEqual([]);
    expect(valuesOf(unit, 'StateDirectory').join(' ').split(' ')).toContain('team-chat');
    expect(valuesOf(unit, 'MemoryDenyWriteExecute')).toEqual([]);
  });

  test('The backup can run twice on one day', () => {
    expect(valuesOf('team-chat-backup.service', 'ExecStart')[0]).toMatch(/%%d.*%%H%%M%%S.*\.tar/);
  });
});
