/** What a picture's file is called: a random text that nobody can guess, a form of the picture, and its kind. */
export const PICTURE_NAME = /^[0-9a-f-]{36}(-[a-z]+)?\.(png|gif|webp)$/;

/** The address of a picture below that of the service; whoever has it may see the picture. */
export const pictureUrl = (name: string): string => `/user_avatars/${name}`;

/** The name under which a picture is stored. */
export const pictureFile = (name: string): string => `pictures/${name}`;

/** The larger form of a picture. */
export const mediumPicture = (name: string): string => name.replace(/\.png$/, '-medium.png');
