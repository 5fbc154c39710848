export const roman = (number) => 'I'.repeat(number);
