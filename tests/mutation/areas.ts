/** Parts of the project that are drawn from equally often. */
export const areas = {
  functions: 'functions/**/*.ts',
  shared: 'shared/**/*.ts',
  infra: 'infra/**/*.ts',
  'web/state': 'web/state/**/*.ts',
  'web/net': 'web/net/**/*.ts',
};
export type Area = keyof typeof areas;
