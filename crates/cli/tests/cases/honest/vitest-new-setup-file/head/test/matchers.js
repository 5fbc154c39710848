import { expect } from 'vitest';

expect.extend({
  toBeWithin(got, least, most) {
    return { pass: got >= least && got <= most, message: () => `${got} is not in ${least}..${most}` };
  },
});
