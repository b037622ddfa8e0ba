/** Wraps each run of a function, named by operation or worker. */
export type Around = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>;

export const justRun: Around = (_name, run) => run();
