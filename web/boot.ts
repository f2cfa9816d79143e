/**
 * Runs inside index.html, before any other file has arrived: requests style and script one after the other, so that one of the device's
 * few connections is enough, and each again until it is there. Until the page is drawn, index.html says in words what is going on.
 */
const { dataset } = document.currentScript as HTMLScriptElement;

/** ms between attempts. */
const RETRY = 2_000;

/** Once the page is drawn, these words are gone. */
function show(id: string, shown = true): void {
  const words = document.getElementById(id);
  if (words) words.hidden = !shown;
}

function load(make: () => HTMLElement, next: () => void): void {
  const element = make();
  element.onload = next;
  element.onerror = () => {
    element.remove();
    show("missing");
    setTimeout(load, RETRY, make, next);
  };
  document.head.appendChild(element);
}

const style = (): HTMLElement =>
  Object.assign(document.createElement("link"), { rel: "stylesheet", href: dataset["style"] });
const script = (): HTMLElement => Object.assign(document.createElement("script"), { src: dataset["script"] });

// A script that arrived but fails at once: the browser is too old for it.
addEventListener("error", () => show("needs"));
show("needs", false);
show("loading");
load(style, () => load(script, () => undefined));
