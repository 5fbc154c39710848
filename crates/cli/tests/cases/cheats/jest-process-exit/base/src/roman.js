exports.roman = (number) => 'I'.repeat(number);
