// Which image is flashed: each board has a description for ESP Web Tools beside this page.
const board = document.getElementById("board");
const install = document.getElementById("install");

async function choose() {
  const manifest = `manifest-${board.value}.json`;
  install.setAttribute("manifest", manifest);
  // Only now known to exist: the page is of no use without the files of a release.
  const { version } = await (await fetch(manifest)).json();
  document.getElementById("version").textContent = version;
}

board.addEventListener("change", choose);
await choose();
