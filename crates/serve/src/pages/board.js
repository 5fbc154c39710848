// Keeps the page as the board is: cards move as runs do, times go on, keys lead around. All texts come from the server as they
// are shown; nothing here decides anything.
"use strict";
(() => {
  const body = document.body;
  const live = document.getElementById("live");
  const byId = (id) => document.getElementById(id);

  // Times of what is under way.
  const span = (ms) => {
    const s = Math.floor(ms / 1000);
    const parts = [[Math.floor(s / 3600), "h"], [Math.floor(s / 60) % 60, "m"], [s % 60, "s"]];
    const told = parts.filter(([n]) => n > 0).map(([n, unit]) => n + unit);
    return told.join("") || "0s";
  };
  setInterval(() => {
    for (const time of document.querySelectorAll(".time[data-since]")) {
      time.textContent = span(Number(time.dataset.spent) + Math.max(0, Date.now() - Number(time.dataset.since)));
    }
  }, 1000);

  // Cards.
  const count = () => {
    for (const column of document.querySelectorAll(".column")) {
      const number = column.querySelectorAll(".card").length;
      column.querySelector(".count").textContent = number;
    }
    const waiting = document.querySelectorAll(".column.needs-you .card").length;
    document.title = (waiting ? "(" + waiting + ") " : "") + "Runs · proctor";
  };
  const place = (card) => {
    const old = byId("card-" + card.run);
    const column = document.querySelector(`.column[data-column="${card.column}"] .cards`);
    if (!column) return;
    const holder = document.createElement("template");
    holder.innerHTML = card.html.trim();
    const fresh = holder.content.firstElementChild;
    const hadFocus = old && old === document.activeElement;
    if (old && old.dataset.column === card.column) {
      old.replaceWith(fresh);
    } else {
      if (old) old.remove();
      column.prepend(fresh);
      fresh.classList.add("fresh");
      if (card.column === "needs-you") live.textContent = card.title + " needs you";
    }
    if (hadFocus) fresh.focus();
  };

  // An open run is read anew, unless somebody is typing on it.
  let reading = false;
  const reread = async () => {
    if (reading) return;
    reading = true;
    try {
      const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const typing = document.activeElement && document.activeElement.matches("textarea, input");
      const opened = document.querySelector("#main details.ask[open]");
      if (typing || opened) {
        live.textContent = "This run has changed; load the page again before you decide.";
      } else if (answer.ok) {
        const isOpen = [...document.querySelectorAll("#main details")].map((d) => d.open);
        byId("main").replaceChildren(...page.getElementById("main").childNodes);
        document.querySelectorAll("#main details").forEach((d, at) => { if (isOpen[at]) d.open = true; });
      }
    } finally {
      reading = false;
    }
  };

  if (body.dataset.here === "board" || body.dataset.here === "run") {
    let version = Number(body.dataset.version);
    const listen = () => {
      const source = new EventSource("/events?since=" + version);
      source.addEventListener("cards", (event) => {
        const told = JSON.parse(event.data);
        version = told.version;
        body.dataset.version = version;
        live.classList.remove("lost");
        if (body.dataset.here === "board") {
          told.cards.forEach(place);
          count();
        } else if (told.cards.some((card) => card.run === body.dataset.run)) {
          reread();
        }
      });
      source.onerror = () => {
        live.textContent = "The board does not answer; trying again.";
        live.classList.add("lost");
        source.close();
        setTimeout(listen, 2000);
      };
      source.onopen = () => {
        if (live.classList.contains("lost")) live.textContent = "";
        live.classList.remove("lost");
      };
    };
    listen();
    if (body.dataset.here === "board") count();
  }

  // Keys.
  const help = byId("help");
  byId("keys").addEventListener("click", () => help.showModal());
  const step = (items, by) => {
    if (!items.length) return;
    const at = items.indexOf(document.activeElement.closest(".card, .mutant > summary"));
    const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : (at + by + items.length) % items.length];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    return next;
  };
  const mutant = (by) => {
    const all = [...document.querySelectorAll(".mutant > summary")];
    const next = step(all, by);
    if (!next) return;
    for (const one of all) one.parentElement.open = one === next;
    next.scrollIntoView({ block: "center" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    const cards = () => [...document.querySelectorAll(".card")];
    const does = {
      j: () => step(cards(), 1),
      k: () => step(cards(), -1),
      w: () => step([...document.querySelectorAll(".column.needs-you .card")], 1),
      n: () => mutant(1),
      p: () => mutant(-1),
      b: () => location.assign("/"),
      "?": () => help.showModal(),
    }[event.key];
    if (does && !help.open) {
      event.preventDefault();
      does();
    }
  });
})();
