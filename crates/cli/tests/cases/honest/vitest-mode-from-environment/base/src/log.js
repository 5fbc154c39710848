export const level = () => 'debug';
