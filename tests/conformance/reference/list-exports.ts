import { type Chapter, change, field, operation, parameter, rule, testsOf, transition } from './statement.ts';

const list = testsOf('api/exports/list-exports.test.ts');
const create = testsOf('api/exports/create-export.test.ts');
const remove = testsOf('api/exports/delete-export.test.ts');
const run = testsOf('api/exports/export-run.test.ts');
const failure = testsOf('api/exports/export-failures.test.ts');

const EVERY = list('the list of exports > has every export, the oldest first, no matter who asked for it');
const STATES = list(
  'the list of exports > says what is being made, what is ready, and what was deleted and when',
);
const RECORD = create(
  'asking for an export > is answered with its id at once, and ends with an archive of what every member may see',
);
const TYPES = create('asking for an export > is for every administrator with the type %s');
const FAILED = failure(
  'an export is given up after some attempts: administrators and the user who asked are told, and nothing is left',
);

export const listExports: Chapter = {
  route: 'GET /export/realm',
  statements: [
    operation(
      'Lists data exports',
      EVERY,
      list('the list of exports > is empty where no user asked for one'),
    ),
    rule(
      'Only administrators of the organization may call it',
      list('the list of exports > is for administrators'),
    ),
    parameter(
      'There are no parameters',
      list('the list of exports > takes no parameters, and says which ones it overlooked'),
    ),
    rule('Public exports and standard ones are in it', EVERY),
    field('`exports`: a list of data export records', EVERY, RECORD),
    field('`id` of a record: an integer', RECORD),
    field('`acting_user_id`: an integer, who asked for it', EVERY),
    field('`export_time`: when it began, in UNIX seconds, a number', RECORD, EVERY),
    field('`deleted_timestamp`: a number, or null', STATES),
    field('`failed_timestamp`: a number, or null', FAILED, STATES),
    field('`export_url`: a text, or null', STATES),
    field('`pending`: a boolean', STATES),
    field('`export_from_prior_server`: a boolean', RECORD, EVERY),
    field(
      '`export_type`: `public`, `full_with_consent` or `full_without_consent`',
      TYPES,
      EVERY,
      create(
        'asking for an export > asking for an export without consent is for owners, where the organization lets them see everything',
      ),
    ),
    rule('`export_url` is null while the export is being made', STATES),
    rule('`export_url` is null when the export failed', FAILED),
    rule(
      '`export_url` is null, and nothing can be downloaded, where an export happened on a previous server: none here did',
      EVERY,
    ),
    rule(
      '`export_from_prior_server` is true for what an import brought along, which is nothing here',
      RECORD,
      EVERY,
    ),
    rule(
      'Making an export takes its time: it is listed as pending until it is ready',
      STATES,
      run('an export > goes on after a crash at any call, and becomes what it would have become'),
    ),
    transition(
      'An export is pending, then ready or failed, and a ready one may be deleted',
      STATES,
      FAILED,
      remove('deleting an export > takes its archive away for good; the export stays in the list'),
    ),
    change('From level 449 on `export_type` is a text', TYPES),
    change('Since level 499 there is `export_from_prior_server`', RECORD),
  ],
};
