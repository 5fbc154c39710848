export const load = async (read, name) => read(name);
