export function sign(number) {
  if (number < 0) {
    return -1;
  }
  return number > 0 ? 1 : 0;
}
