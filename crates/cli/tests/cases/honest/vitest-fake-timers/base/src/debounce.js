export const debounce = (action, wait) => (...given) => setTimeout(() => action(...given), wait);
