export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
