export async function load(read, name) {
  return read(name);
}
