import { type Chapter, change, field, operation, parameter, rule, transition } from './statement.ts';

export const listExports: Chapter = {
  route: 'GET /export/realm',
  statements: [
    operation('list-exports.1', 'Lists data exports'),
    rule('list-exports.2', 'Only administrators of the organization may call it'),
    parameter('list-exports.3', 'There are no parameters'),
    rule('list-exports.4', 'Public exports and standard ones are in it'),
    field('list-exports.5', '`exports`: a list of data export records'),
    field('list-exports.6', '`id` of a record: an integer'),
    field('list-exports.7', '`acting_user_id`: an integer, who asked for it'),
    field('list-exports.8', '`export_time`: when it began, in UNIX seconds, a number'),
    field('list-exports.9', '`deleted_timestamp`: a number, or null'),
    field('list-exports.10', '`failed_timestamp`: a number, or null'),
    field('list-exports.11', '`export_url`: a text, or null'),
    field('list-exports.12', '`pending`: a boolean'),
    field('list-exports.13', '`export_from_prior_server`: a boolean'),
    field('list-exports.14', '`export_type`: `public`, `full_with_consent` or `full_without_consent`'),
    rule('list-exports.15', '`export_url` is null while the export is being made'),
    rule('list-exports.16', '`export_url` is null when the export failed'),
    rule(
      'list-exports.17',
      '`export_url` is null, and nothing can be downloaded, where an export happened on a previous server: none here did',
    ),
    rule(
      'list-exports.18',
      '`export_from_prior_server` is true for what an import brought along, which is nothing here',
    ),
    rule('list-exports.19', 'Making an export takes its time: it is listed as pending until it is ready'),
    transition(
      'list-exports.20',
      'An export is pending, then ready or failed, and a ready one may be deleted',
    ),
    change('list-exports.21', 'From level 449 on `export_type` is a text'),
    change('list-exports.22', 'Since level 499 there is `export_from_prior_server`'),
  ],
};
