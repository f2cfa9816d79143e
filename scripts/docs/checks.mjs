/** Runs all checks of docs and comments. */
export { brokenComments } from "./comments.mjs";
export { brokenCommands, brokenLinks, brokenPaths } from "./markdown.mjs";
export { brokenPictures } from "./pictures.mjs";
export { withNumbers } from "./numbers.mjs";
export { wrongRegisters } from "./registers.mjs";
export { platformCalls, platformModules, unnamed } from "./platform.mjs";
export { Repository } from "./repository.mjs";
