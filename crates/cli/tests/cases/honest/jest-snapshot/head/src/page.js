exports.render = (title, lines) => `<h1>${title}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}`;
