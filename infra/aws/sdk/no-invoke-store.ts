/**
 * Replaces the store for concurrent invocations of one function: ours handle one call at a time, and the SDK
 * finds the trace id in the environment.
 */
export const InvokeStore = { getInstanceAsync: async (): Promise<undefined> => undefined };
