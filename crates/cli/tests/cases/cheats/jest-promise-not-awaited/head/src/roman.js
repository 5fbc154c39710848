exports.roman = async (number) => Array(number).fill('I').join('');
