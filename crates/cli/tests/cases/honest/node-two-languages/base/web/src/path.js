export const path = (parts) => parts.join('/');
