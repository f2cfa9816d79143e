/** Of everything that the scripts of the demonstration consist of: nothing is Node's or from npm, and all of it is there. */
const { options } = require("../.dependency-cruiser.cjs");

const BUILD = "^web-sim/[^/]+\\.m[jt]s$";

module.exports = {
  forbidden: [
    {
      name: "no-node",
      severity: "error",
      from: { pathNot: BUILD },
      to: { dependencyTypes: ["core"], pathNot: "^net$" },
    },
    {
      name: "no-npm",
      severity: "error",
      from: { pathNot: BUILD },
      to: { path: "node_modules", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-what-is-shared",
      comment: "Sources of the simulator on Node alone.",
      severity: "error",
      from: { path: "^(web-sim|host-sim)/", pathNot: BUILD },
      to: { path: "^(host-sim/(node|xs)/|test/|scripts/)" },
    },
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    ...options,
    exclude: { path: BUILD },
    enhancedResolveOptions: { ...options.enhancedResolveOptions, conditionNames: ["browser", "import", "default"] },
  },
};
