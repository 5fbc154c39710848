import { expect, test } from 'vitest';
import { Morse } from './morse';
test('nothing', () => expect(new Morse().encode('')).toBe(''));
test('words', () => {
  const morse = new Morse();
  expect(morse.encode('SOS')).toBe('... --- ...');
  expect(morse.encode('HELLO')).toBe('.... . .-.. .-.. ---');
  expect(morse.encode('EE')).toBe('. .');
});
