import type { Mutant } from './mutant.ts';

/** Mutants of the service's reaction to its surroundings: files, busy tables, schedules. */
export const mutantsOfTheWorld: Mutant[] = [
  {
    name: 'a scheduled message is sent as soon as its schedule fires',
    file: 'functions/workers/deliver-scheduled-message.ts',
    find: 'if (earlyMs > 0) await services.clock.sleep(earlyMs);',
    replace: '',
  },
  {
    name: 'a picture replaces the one before under its name',
    file: 'shared/actions/pictures/keep-picture.ts',
    find: 'const base = ids.uuid();',
    replace: "const base = '00000000-0000-4000-8000-000000000000';",
    run: { withActions: true },
  },
  {
    name: 'an upload is recorded although its file was not stored',
    file: 'shared/actions/uploads/keep-upload.ts',
    find: 'if (bytes) await files.put(uploadFile(upload), bytes);',
    replace: 'if (bytes) await files.put(uploadFile(upload), bytes).catch(() => {});',
    run: { withActions: true, withAllFaults: true },
  },
  {
    name: 'a picture is removed although it may have been recorded',
    file: 'shared/actions/pictures/keep-picture.ts',
    find: 'if (!(failure instanceof OutcomeUnknown))',
    replace: '',
    run: { withActions: true, withAllFaults: true },
  },
  {
    name: 'a table that is busy is an error of the service',
    file: 'shared/api/lambda.ts',
    find: 'request.response = failure(new RateLimitHit(THROTTLED_RETRY_SECONDS));',
    replace: 'request.response = internalError();',
    run: { withEdge: true },
  },
  {
    name: 'a table that does not answer is an error of the service',
    file: 'shared/api/lambda.ts',
    find: 'const isDefect = !(error instanceof Unreachable);',
    replace: 'const isDefect = true;',
    run: { withEdge: true },
  },
];
