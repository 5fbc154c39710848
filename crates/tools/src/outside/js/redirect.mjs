// Who asks for node's test tool gets the stand-in.
const standin = new URL('./steps.mjs', import.meta.url).href

export async function resolve(specifier, context, next) {
  return specifier === 'node:test' ? { url: standin, shortCircuit: true } : next(specifier, context)
}
