exports.load = async (read, name) => read(name);
