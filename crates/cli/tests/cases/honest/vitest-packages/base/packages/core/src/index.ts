export { parse } from './parse';
