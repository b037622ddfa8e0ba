/** Is told of each function that runs, by the operation or the name of the worker, and lets it run. */
export type Around = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>;

export const justRun: Around = (_name, run) => run();
