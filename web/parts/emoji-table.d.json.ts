/** Code, group and words of each emoji; made by the build. */
declare const table: [code: string, group: number, words: string][];
export = table;
