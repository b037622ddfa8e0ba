import type { Sample } from '../sample.ts';

export const samples: Sample[] = [
  'DNS',
  'HTTP',
  'HTTPS',
  'HTTP_CUSTOM',
  'IMAP',
  'PING',
  'POP3',
  'PORT_TCP',
  'SMTP',
  'UDP',
].map((check_type, index) => ({
  name: check_type,
  event: check_type,
  payload: {
    check_type,
    check_name: 'Engine',
    check_params: { hostname: 'engine.example' },
    previous_state: index % 2 === 0 ? 'UP' : 'DOWN',
    current_state: index % 2 === 0 ? 'DOWN' : 'UP',
    long_description: index % 2 === 0 ? 'Timeout (> 30s)' : 'OK',
  },
}));
