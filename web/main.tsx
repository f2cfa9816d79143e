import { render } from "preact";
// First: nothing else may see the address with the code.
import "./address-code";
import { App } from "./app";
// Used by several lazy files, which have in common only what this one has.
import "./files";
import "./judge";
import { preferences } from "./preferences";

const root = document.getElementById("app");
if (root)
  void preferences
    .begin(() => document.getElementById("missing")?.removeAttribute("hidden"))
    .then(() => {
      root.replaceChildren();
      render(<App />, root);
    });
