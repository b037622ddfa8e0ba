import type { Choice, Point } from './operators.ts';

/** A change with the number by which a process is told to make it. */
export interface NumberedPoint extends Point {
  number: number;
}

/** Says whether the process makes the change of a number. Stands in the first line of each switched source, so that its lines stay. */
const HEAD =
  'const isMade_=globalThis.isMade_??=((e)=>{const made=Number(e?.MUTANT);if(!e?.MUTANTS_REACHED)return(n)=>n===made;' +
  "const reached=new Set();const{appendFileSync}=process.getBuiltinModule('node:fs');" +
  "process.on('exit',()=>appendFileSync(e.MUTANTS_REACHED,[...reached].join('\\n')+'\\n'));" +
  'return(n)=>{reached.add(n);return false}})(globalThis.process?.env);';

/**
 * A source with all of its changes in it: which one a process makes, if any, is decided by the variable MUTANT of its
 * environment. Changes that can't stand beside the source are left out.
 */
export function switchOver(source: string, points: NumberedPoint[]): string {
  const wholes = points
    .flatMap(({ choice, ...point }) => (choice ? [{ ...point, choice }] : []))
    // What contains another comes before it.
    .sort((a, b) => a.choice.start - b.choice.start || b.choice.end - a.choice.end);
  let next = 0;
  /** The text between two places; what is chosen within is next in the list. */
  const write = (start: number, end: number): string => {
    let text = '';
    let at = start;
    for (
      let whole = wholes[next];
      whole && whole.choice.end <= end && whole.choice.start >= at;
      whole = wholes[next]
    ) {
      next++;
      text += source.slice(at, whole.choice.start);
      text += choose(whole, write(whole.choice.start, whole.choice.end), source);
      at = whole.choice.end;
    }
    return text + source.slice(at, end);
  };
  return HEAD + write(0, source.length);
}

function choose(
  { number, start, end, text, choice }: NumberedPoint & { choice: Choice },
  was: string,
  source: string,
): string {
  const isMade = `isMade_(${number})`;
  switch (choice.kind) {
    case 'expression': {
      const is = source.slice(choice.start, start) + text + source.slice(end, choice.end);
      return `(${isMade}?(${is}):${was})`;
    }
    case 'statement':
      return `{if(!${isMade}){${was}}}`;
    case 'property':
      return `...(${isMade}?{}:{${was}})`;
    case 'element':
      return `...(${isMade}?[]:[${was}])`;
    case 'body':
      return `{if(${isMade})return undefined as never;${was.slice(1)}`;
  }
}
