import data from './data.js';
export const slug = (text) => {
  const at = data.indexOf(text);
  return at < 0 ? text : data[at + 1];
};
