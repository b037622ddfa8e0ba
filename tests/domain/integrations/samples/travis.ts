import type { Sample } from '../sample.ts';

const of = (status_message: string, type = 'push'): Sample => ({
  name: status_message,
  event: type,
  form: {
    payload: JSON.stringify({
      author_name: 'Ada',
      status_message,
      type,
      compare_url: 'https://github.com/acme/engine/compare/a...b',
      build_url: 'https://travis-ci.com/acme/engine/builds/1',
    }),
  },
});

export const samples: Sample[] = [of('Passed'), of('Still Failing', 'pull_request'), of('Pending')];
