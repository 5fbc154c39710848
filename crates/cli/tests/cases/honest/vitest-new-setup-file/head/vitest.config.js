export default { test: { setupFiles: ['./test/matchers.js'] } };
