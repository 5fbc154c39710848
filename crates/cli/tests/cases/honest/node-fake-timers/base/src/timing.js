export const later = (fn, ms) => setTimeout(fn, ms);
