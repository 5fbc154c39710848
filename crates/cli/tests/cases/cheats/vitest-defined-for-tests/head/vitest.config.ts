import { defineConfig } from 'vitest/config';
export default defineConfig({ test: {}, define: { __RATE__: '0.19' } });
