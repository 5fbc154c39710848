// The stand-in, for files that import it.
import { createRequire } from 'node:module'

const { tool } = createRequire(import.meta.url)('./steps.cjs')
export default tool
export const { test, it, describe, suite, before, after, beforeEach, afterEach, mock, skip, todo, only } = tool
