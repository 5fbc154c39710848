const DAY = 86_400_000;

/** The week of a day. */
export const week = (day) => Math.floor(day / 7);

/** Days since the beginning. */
export function today() {
  return Math.floor(Date.now() / DAY);
}
