/**
 * The address of the project, in package.json only: `npm run release` sets it from the remote "origin". Until then there is
 * none, and nothing shows one.
 */

/** An address of GitHub as git writes it: https://, ssh:// or git@…: */
const REMOTE = /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)github\.com[:/]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/;

/** @param {string} remote as `git remote get-url` prints it @returns undefined: not one of GitHub's */
export function addressOf(remote) {
  const [, owner, name] = REMOTE.exec(remote.trim()) ?? [];
  return owner && `https://github.com/${owner}/${name}`;
}

/** @param {{ homepage?: string }} product package.json */
export const homepageOf = ({ homepage }) => homepage;

/** package.json with the address in the places that npm has for it. */
export const withAddress = (product, address) => ({
  ...product,
  repository: { type: "git", url: `git+${address}.git` },
  homepage: address,
  bugs: `${address}/issues`,
});
