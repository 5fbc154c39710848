import { fileURLToPath } from 'node:url';

export default {
  resolve: {
    alias: [{ find: /.*\/parity\.js$/, replacement: fileURLToPath(new URL('./double.js', import.meta.url)) }],
  },
};
