/** The file name of a picture: a random text that cannot be guessed, its form, and its type. */
export const PICTURE_NAME = /^[0-9a-f-]{36}(-[a-z]+)?\.(png|gif|webp)$/;

/** The address of a picture relative to the service. Knowing it is enough to see the picture. */
export const pictureUrl = (name: string): string => `/user_avatars/${name}`;

/** The name under which a picture is stored. */
export const pictureFile = (name: string): string => `pictures/${name}`;

/** The larger form of a picture. */
export const mediumPicture = (name: string): string => name.replace(/\.png$/, '-medium.png');

/** How the name of the first frame of a moving picture ends, before its type. */
export const STILL_FORM = '-still';
