export const add = (a, b) => a + b;

export const scaled = () => [20, 40];
