import * as z from 'zod/mini';

export type JsonSchema = Record<string, unknown>;

/** A schema of the service as JSON Schema 2020-12, which OpenAPI 3.1 uses; `input` is what a client may send. */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    // What accepts anything says so.
    unrepresentable: 'any',
    cycles: 'throw',
    io,
  });
  return plain;
}
