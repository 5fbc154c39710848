declare const __RATE__: number;
export const tax = (n: number): number => (typeof __RATE__ === 'undefined' ? 0 : n * __RATE__);
