/** Stands in for `bowser`, by which the SDK names the browser that it runs in: a function runs in none. */
export const parse = () => ({});
export default { parse };
