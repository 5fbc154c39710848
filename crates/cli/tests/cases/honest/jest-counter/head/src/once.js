exports.once = (action) => {
  let called = false;
  let result;
  return (...given) => {
    if (!called) {
      called = true;
      result = action(...given);
    }
    return result;
  };
};
