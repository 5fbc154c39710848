export const roman = (number) => Array(number).fill('I').join('');
