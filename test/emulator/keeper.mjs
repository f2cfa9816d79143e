/**
 * node keeper.mjs PROGRAM [argument …]: runs PROGRAM until standard input ends, which it also does when the parent is killed. An
 * emulator without a test would run for ever.
 */
import { spawn } from "node:child_process";

const [program = "", ...parameters] = process.argv.slice(2);
const child = spawn(program, parameters, { stdio: ["ignore", "ignore", "inherit"] });
child
  .on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  })
  .on("exit", (status) => process.exit(status ?? 1));
process.stdin.on("close", () => child.kill("SIGKILL")).resume();
