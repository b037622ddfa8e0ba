import { expect } from 'vitest';

/** One line that the service wrote to its log. */
interface LoggedLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  [field: string]: unknown;
}

let lines: LoggedLine[] = [];

/**
 * From now on the lines that the service logs in this process are kept instead of shown; other output is written as
 * before. Returns a function that ends it.
 */
export function keepLoggedLines(): () => void {
  const ends = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write;
    stream.write = ((text: string | Uint8Array, ...rest: never[]): boolean => {
      const line = typeof text === 'string' ? findLine(text) : undefined;
      if (!line) return Reflect.apply(write, stream, [text, ...rest]);
      lines.push(line);
      return true;
    }) as typeof stream.write;
    return () => {
      stream.write = write;
    };
  });
  return () => {
    for (const end of ends) end();
  };
}

/**
 * The lines that the service logged since the last time. A test that makes something fail takes the lines and checks
 * them.
 */
export function takeLogged(): LoggedLine[] {
  const taken = lines;
  lines = [];
  return taken;
}

/** The messages of the errors among `takeLogged`. */
export const takeErrors = (): string[] =>
  takeLogged()
    .filter(({ level }) => level === 'error')
    .map(({ message }) => message);

/** For errors that may or may not happen, depending on the order of calls. */
export function expectNoErrorBut(message: string): void {
  expect(takeErrors().filter((one) => one !== message)).toEqual([]);
}

function findLine(text: string): LoggedLine | undefined {
  return text.startsWith('{"level":') ? JSON.parse(text) : undefined;
}
