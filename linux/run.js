import start from "start";

export default function run() {
  start();
}
