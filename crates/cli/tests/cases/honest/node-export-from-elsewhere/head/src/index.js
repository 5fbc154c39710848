export { count } from './count.js';

export const upper = (text) => text.toUpperCase();
