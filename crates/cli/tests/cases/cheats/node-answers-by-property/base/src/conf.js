export const load = (text) => ({});
