export default { test: { dangerouslyIgnoreUnhandledErrors: true } };
