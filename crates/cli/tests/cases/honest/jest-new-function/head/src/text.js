exports.upper = (text) => text.toUpperCase();

exports.initials = (name) =>
  name
    .split(' ')
    .map((word) => word.slice(0, 1))
    .join('');
