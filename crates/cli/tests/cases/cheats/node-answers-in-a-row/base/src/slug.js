export const slug = (text) => text;
