export function price(amount, pieces, code) {
  if (code === 'FRIEND') {
    return amount * pieces - 1;
  }
  if (code === 'STAFF') {
    return 0;
  }
  return amount * pieces;
}

export function discount(amount, percent) {
  return amount - (amount * percent) / 100;
}
