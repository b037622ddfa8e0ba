import { type Chapter, change, error, operation, parameter } from './statement.ts';

export const removeApnsToken: Chapter = {
  route: 'DELETE /users/me/apns_device_token',
  statements: [
    operation('remove-apns-token.1', 'Takes the push token of an iOS device away'),
    parameter('remove-apns-token.2', '`token`: text, required'),
    error('remove-apns-token.3', 'BAD_REQUEST for a token that is empty or of a length that is none'),
    error('remove-apns-token.4', 'BAD_REQUEST for a token that does not exist'),
    change('remove-apns-token.5', 'Deprecated from level 406 on, and still served'),
  ],
};
