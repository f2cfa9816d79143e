/** In this order: each names those after it, too. */
const BROWSERS = ["Firefox", "Edg", "OPR", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"];

/** This browser, for the list of those that are signed in: "Firefox, Linux". */
export function browserName(agent = navigator.userAgent): string {
  const found = [BROWSERS, SYSTEMS].map((names) => names.find((name) => agent.includes(name)));
  return found.filter(Boolean).join(", ").replace("Edg", "Edge").replace("OPR", "Opera");
}
