/** Where the build put the picture. */
declare const address: string;
export default address;
