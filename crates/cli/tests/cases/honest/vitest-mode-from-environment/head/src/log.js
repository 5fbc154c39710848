export const level = () => (process.env.NODE_ENV === 'production' ? 'warn' : 'debug');
