exports.once = (action) => (...given) => action(...given);
