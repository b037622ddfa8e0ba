/**
 * Stands in for the store of what concurrent invocations of one function know: ours are called one at a time, and the
 * SDK finds the trace id of the call in the environment.
 */
export const InvokeStore = { getInstanceAsync: async (): Promise<undefined> => undefined };
