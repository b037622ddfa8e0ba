/** The address of the picture in the build. */
declare const address: string;
export default address;
