/** The regular expression engine is large, so only functions that use linkifiers load it. */
export const loadEngine = () => import('./engine.ts');

export type Engine = Pick<Awaited<ReturnType<typeof loadEngine>>, 'readPattern'>;
