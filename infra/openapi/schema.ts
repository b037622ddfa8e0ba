import * as z from 'zod/mini';

export type JsonSchema = Record<string, unknown>;

/** A schema as JSON Schema 2020-12, which OpenAPI 3.1 uses; `input` is the form that a client may send. */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    // Schemas that accept anything become `{}`.
    unrepresentable: 'any',
    cycles: 'throw',
    io,
  });
  return plain;
}
