/** How the service names itself to agents. */
export const serverInfo = { name: 'team-chat', title: 'Team Chat', version: '12.0.0' };
