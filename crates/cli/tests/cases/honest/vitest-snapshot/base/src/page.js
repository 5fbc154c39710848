export const render = (title, lines) => `<h1>${title}</h1>`;
