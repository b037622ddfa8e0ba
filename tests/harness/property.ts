import * as fc from 'fast-check';

/** Checks a property that holds no promises. Unlike fast-check's own `assert` it never looks like a promise. */
export const always = <Values>(property: fc.IProperty<Values>, settings?: fc.Parameters<Values>): void =>
  fc.assert(property, settings);
