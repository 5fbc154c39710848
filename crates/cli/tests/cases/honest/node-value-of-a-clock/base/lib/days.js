const HOUR = 3_600_000;

/** The week of a day. */
export const week = (day) => Math.floor(day / 7);

/** Days since the beginning. */
export function today() {
  return Math.floor(Date.now() / HOUR);
}
