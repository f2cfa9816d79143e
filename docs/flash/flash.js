// Which image is flashed: each board has a description for ESP Web Tools beside this page. Without a choice nothing is.
const board = document.getElementById("board");
const install = document.getElementById("install");
const start = document.getElementById("start");
const LABEL = start.textContent;

async function choose() {
  start.disabled = true;
  start.textContent = LABEL;
  const { value } = board;
  if (!value) return;
  const manifest = `manifest-${value}.json`;
  // Only now known to exist: the page is of no use without the files of a release.
  const { name, version } = await (await fetch(manifest)).json();
  // Another board was chosen meanwhile.
  if (board.value !== value) return;
  document.getElementById("version").textContent = version;
  install.setAttribute("manifest", manifest);
  start.textContent = `${LABEL}: ${name}`;
  start.disabled = false;
}

board.addEventListener("change", choose);
await choose();
