exports.isEven = (number) => number % 2 === 1;
