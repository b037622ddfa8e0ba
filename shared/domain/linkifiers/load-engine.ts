/** The regular expressions of linkifiers are large: whoever needs none loads none. */
export const loadEngine = () => import('./engine.ts');

export type Engine = Pick<Awaited<ReturnType<typeof loadEngine>>, 'readPattern'>;
