exports.roman = (number) => Array(number).fill('I').join('');
