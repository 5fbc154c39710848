export const load = async (read, name) => {
  const text = await read(name);
  if (text === undefined) {
    throw new Error(`${name} is not there`);
  }
  return text;
};
