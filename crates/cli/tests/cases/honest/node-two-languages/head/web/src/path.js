export const path = (parts) => parts.filter((part) => part !== '').join('/');
