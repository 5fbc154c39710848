// Looks for all words in headings and texts; headings first. The index is a script, so that it works from a file too.
"use strict";

const field = document.getElementById("search");
const list = document.getElementById("found");

function matches(words) {
  const found = [];
  for (const part of window.parts) {
    const title = `${part.page} ${part.part}`.toLowerCase();
    const text = part.text.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) continue;
    found.push({ part, weight: words.filter((word) => title.includes(word)).length, text });
  }
  return found.sort((a, b) => b.weight - a.weight).slice(0, 12);
}

field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? matches(words) : [];
  list.hidden = words.length === 0;
  list.replaceChildren(
    ...found.map(({ part, text }) => {
      const link = document.createElement("a");
      link.href = part.at;
      link.textContent = part.part === part.page ? part.page : `${part.page}: ${part.part}`;
      const at = Math.max(0, text.indexOf(words[0]) - 30);
      const words_around = document.createElement("small");
      words_around.textContent = part.text.slice(at, at + 90);
      link.append(words_around);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  if (words.length && !found.length) list.textContent = "Nothing was found.";
});

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && event.target !== field) {
    event.preventDefault();
    field.focus();
  }
});
