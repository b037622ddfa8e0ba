declare module 'vitest' {
  interface TaskMeta {
    /** The statements of the reference that the test proves, by id. */
    proves?: string[];
  }
}

/** Options of a test without which the statements with these ids (`tests/conformance/reference`) would be unproven. */
export const proves = (...ids: string[]): { meta: { proves: string[] } } => ({ meta: { proves: ids } });
