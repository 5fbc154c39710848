exports.isEven = (number) => Math.abs(number % 2) === 1;
