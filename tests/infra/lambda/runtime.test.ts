import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeBootstrap } from '#tests/harness/lambda/deployed-functions.ts';
import { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';

const folder = mkdtempSync(join(tmpdir(), 'team-chat-runtime-'));
const bootstrap = writeBootstrap(folder);
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;
/** A function of its own, of a handler written as JavaScript. */
function write(source: string, timeoutSeconds = 20): LambdaFunction {
  const name = `function-${++written}`;
  writeFileSync(join(folder, `${name}.mjs`), source);
  const handler = `${name}.handler`;
  const settings = {
    functionName: name,
    folder,
    handler,
    environment: {},
    timeoutSeconds,
    memoryMegabytes: 128,
  };
  return new LambdaFunction(settings, bootstrap);
}

describe('The Lambda emulator', () => {
  test('Passes one event after the other to one process, with the remaining time', async () => {
    const counting = write(`let calls = 0;
      export const handler = async (event, context) =>
        ({ event, calls: ++calls, hasTime: context.getRemainingTimeInMillis() <= 20_000, pid: process.pid });`);
    const first = await counting.invoke({ a: 1 });
    const second = await counting.invoke({ a: 2 });
    expect([first, second]).toMatchObject([
      { kind: 'answer', payload: { event: { a: 1 }, calls: 1, hasTime: true } },
      { kind: 'answer', payload: { event: { a: 2 }, calls: 2, hasTime: true } },
    ]);
    expect(await counting.shutDown()).toBe('SIGTERM');
  });

  test('Reports a thrown error, and a result that is no JSON; the process continues', async () => {
    const failing = write(`export const handler = async ({ isCycle }) => {
      const cycle = {}; cycle.self = cycle;
      if (isCycle) return cycle;
      throw new TypeError('no luck');
    };`);
    expect([await failing.invoke({}), await failing.invoke({ isCycle: true })]).toMatchObject([
      { kind: 'failure', errorType: 'TypeError', errorMessage: 'no luck' },
      { kind: 'failure', errorType: 'Runtime.JSONStringifyError' },
    ]);
    expect(await failing.shutDown()).toBe('SIGTERM');
  });

  test.each([
    [
      'is rejected without a handler',
      `Promise.reject(new Error('late')); await new Promise((r) => setTimeout(r, 9_000));`,
      'exit status 1',
    ],
    [
      'is thrown outside of it',
      `setTimeout(() => { throw new Error('late'); }); await new Promise((r) => setTimeout(r, 9_000));`,
      'exit status 1',
    ],
    ['never settles', 'await new Promise(() => {});', 'without providing a reason'],
  ])('Fails the current event if something %s, and starts a new process', async (_what, body, reason) => {
    const dying = write(
      `export const handler = async ({ isGood }) => { if (isGood) return 'good'; ${body} };`,
    );
    expect(await dying.invoke({})).toMatchObject({
      kind: 'failure',
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining(reason),
    });
    expect(await dying.invoke({ isGood: true })).toMatchObject({ kind: 'answer', payload: 'good' });
    await dying.shutDown();
  });

  test('Ends a process at its deadline, and starts a new one for the next event', async () => {
    const slow = write(
      `export const handler = async ({ isGood }) => isGood ? 'good' : new Promise((r) => setTimeout(r, 60_000));`,
      1,
    );
    expect(await slow.invoke({})).toMatchObject({
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringContaining('Task timed out after 1.00 seconds'),
    });
    expect(await slow.invoke({ isGood: true })).toMatchObject({ payload: 'good' });
    await slow.shutDown();
  });

  test.each([
    ['there is no such export', 'export const other = 1;', 'Runtime.HandlerNotFound'],
    ['an import is missing', `import 'nothing-here';`, 'Runtime.ImportModuleError'],
    ['its start throws', `throw new RangeError('at the start');`, 'RangeError'],
    [
      'the handler takes a callback',
      'export const handler = (event, context, done) => done();',
      'Runtime.CallbackHandlerDeprecated',
    ],
  ])('Refuses a function if %s', async (_what, source, errorType) => {
    expect(await write(source).invoke({})).toMatchObject({ kind: 'failure', errorType });
  });

  test('Refuses an answer of more than 6 MB', async () => {
    const large = write(`export const handler = async () => 'x'.repeat(6 * 1024 * 1024);`);
    expect(await large.invoke({})).toMatchObject({ errorType: 'Function.ResponseSizeTooLarge' });
    await large.shutDown();
  });

  test('Passes a process nothing of its own environment except the path', async () => {
    const telling = write('export const handler = async () => Object.keys(process.env);');
    const outcome = await telling.invoke({});
    const names = outcome.kind === 'answer' ? (outcome.payload as string[]) : [];
    expect(names).toContain('PATH');
    expect(names.filter((name) => !/^(PATH$|AWS_|_HANDLER$|LAMBDA_TASK_ROOT$)/.test(name))).toEqual([]);
    await telling.shutDown();
  });
});
