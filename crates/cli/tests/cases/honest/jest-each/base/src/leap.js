exports.isLeap = (year) => year % 4 === 0;
