/** The most polls that one process holds, which is the most requests that Lambda sends to one environment. */
export const POLLS_PER_PROCESS = 128;
/** How long a poll waits for events. */
const HOLD_SECONDS = 50;
/** What differs from a function: a poll in which nothing happens ends with a heartbeat, and not just before one. */
export const POLLER_CONFIG = { pollHoldMs: HOLD_SECONDS * 1000, heartbeatIntervalMs: HOLD_SECONDS * 1000 };
/** The time that the distribution waits for an answer: without a quota of its own it allows at most this. */
export const ANSWER_SECONDS = 60;
