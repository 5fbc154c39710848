export const clamp = (value, least, most) => Math.max(value, least);
