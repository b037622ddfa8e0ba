/** Code, group and words of each emoji, and 1 if it has skin tones; made by the build. */
declare const table: [code: string, group: number, words: string, hasTones?: 1][];
export = table;
