exports.roman = async (number) => 'I'.repeat(number);
